"""table_linsol.py - what the suite linsol found: what holds for all matrices, and a table of some

A ratio is native over the fastest of the others whose residual is at most 1e-10.
"""
RESIDUAL = 1e-10
OURS = ("native", "native_lu")
EIGEN = "eigen_sparselu"
SHOWN = {"fourbar": (1000, 8000), "tridiagonal": (1000, 8000), "kkt": (100, 10000)}


def by_matrix(records):
    """{(matrix, n): {solver: (us, residual)}} of one thread, in the order of the records"""
    found = {}
    for r in records:
        if r["threads"] == 1:
            found.setdefault((r["matrix"], r["n"]), {})[r["solver"]] = (r["factor_solve_us"], r["residual"])
    return found


def fastest(times):
    """(us, name) of the best of others; None if none solves it"""
    good = [(us, name) for name, (us, residual) in times.items()
            if name not in OURS and us is not None and residual is not None and residual <= RESIDUAL]
    return min(good, default=None)


def digits(x):
    return "–" if x is None else f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def eigen_ratio(times):
    us = times.get(EIGEN, (None, None))[0]
    return None if us is None else us / times["native"][0]


def label(matrix, n):
    """as --only of the suite takes it"""
    return matrix if matrix.startswith("kkt") else f"{matrix}_{n}"


def is_shown(matrix, n):
    size = int(matrix.rsplit("_", 1)[1]) if matrix.startswith("kkt") else n
    return size in next(sizes for kind, sizes in SHOWN.items() if matrix.startswith(kind))


def worst(found, kind):
    """largest ratio of matrices whose names begin so, or begin otherwise; –: no peer solved one"""
    ratios = [(times["native"][0] / fastest(times)[0], matrix, n) for (matrix, n), times in found.items()
              if matrix.startswith("kkt") == (kind == "kkt") and fastest(times)]
    if not ratios:
        return "–"
    ratio, matrix, n = max(ratios)
    return f"{ratio:.2f} (`{label(matrix, n)}`)"


def summary(found, folder):
    peers = list(dict.fromkeys(name for times in found.values() for name in times if name not in OURS))
    late = [f"{name} `{label(matrix, n)}`" for (matrix, n), times in found.items() for name, (us, _) in times.items() if us is None]
    eigen = [x for (matrix, _), times in found.items() if matrix.startswith("kkt") and (x := eigen_ratio(times)) is not None]
    residual = max(times[name][1] for times in found.values() for name in OURS)
    lines = [f"Results of {folder}: {len(found)} matrices; peers that were installed: {', '.join(peers)}. Largest ratio of `native` to the fastest of them: "
             f"{worst(found, 'fourbar')} for `fourbar_*` and `tridiagonal`, {worst(found, 'kkt')} for `kkt_*`. "
             f"Largest residual of ours: {residual:.1e}."]
    if eigen:
        lines[0] += f" Eigen's SparseLU takes {min(eigen):.1f} to {max(eigen):.0f} × as long as `native` on `kkt_*`."
    lines.append("Beyond the limits of time or memory, or without a solution: " + (", ".join(late) if late else "none") + ".")
    return lines


def table(found):
    lines = ["| matrix | n | native, µs | native_lu | fastest other | its µs | native ÷ it | Eigen ÷ native |", "|---|---|---|---|---|---|---|---|"]
    for (matrix, n), times in found.items():
        if not is_shown(matrix, n):
            continue
        us, name = fastest(times) or (None, "–")
        ratio = f"{times['native'][0] / us:.2f}" if us else "–"
        lines.append(f"| {matrix} | {n} | {digits(times['native'][0])} | {digits(times['native_lu'][0])} | {name} | {digits(us)} "
                     f"| {ratio} | {digits(eigen_ratio(times))} |")
    return lines


def lines(records, folder):
    found = by_matrix(records)
    return [*summary(found, folder), "", *table(found)]
