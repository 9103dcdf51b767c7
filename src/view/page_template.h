// page_template.h - the page without data: web/dist/viewer.html inside the program
#ifndef CARDAN_VIEW_PAGE_TEMPLATE_H
#define CARDAN_VIEW_PAGE_TEMPLATE_H

// NUL-terminated; the data belong where CD_PAGE_MARK stands
extern const char cdi_page_template[];
#define CD_PAGE_MARK "{{DATA}}"

#endif
