"""_law.py - laws of one's own: a function is run once on symbols and becomes an expression

    @cd.law(x="tip.y", v="speed.y")
    def spring(t, x, v):
        return cd.where(x < 0, -1e4*x, 0) - 20*v

    m.add(cd.Force("support", link, y=spring))

Names of arguments are bound to channels of sensors; the others are the variable of the field (t, or
what its table says). The expression is part of the model, runs in C without the interpreter, and has
exact derivatives. What the function does with symbols must be arithmetic: ``if`` becomes
``cd.where``, functions are those of this module or of numpy. What it computes once and uses twice is
computed once in C too: such values get names, ``_1 = ...; _2 = ...``.
"""
from __future__ import annotations

import inspect
import re
from typing import Any, Callable, overload

from . import _cardan

# those of the expression language: name there, number of arguments
_FUNCTIONS: dict[str, int] = dict(_cardan.functions())
_NUMPY = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2",
          "absolute": "abs", "fabs": "abs", "minimum": "min", "maximum": "max", "fmin": "min",
          "fmax": "max", "remainder": "mod"}


# of texts in each other, for every symbol; the language allows 64 for all that it reads
_DEPTH_MAX = 20


class Symbol:
    """A number that is not known yet: a name, or a form of text with the symbols that it holds."""

    __array_priority__ = 1000

    def __init__(self, form: str, *args: Symbol) -> None:
        self.form = form
        self.args = args

    @property
    def text(self) -> str:
        """as an expression of the model"""
        return _write(self)

    def __bool__(self) -> bool:
        raise TypeError("a law is run once, before its numbers are known: write "
                        "cardan.where(condition, a, b) in place of if, and & | ~ in place of and or not")

    def __float__(self) -> float:
        raise TypeError("a law is run once, before its numbers are known: use functions of cardan or "
                        "numpy, not of math")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        name = _NUMPY.get(ufunc.__name__, ufunc.__name__)
        if method != "__call__" or kwargs:
            return NotImplemented
        if any(getattr(each, "ndim", 0) for each in inputs):
            return _each(ufunc, inputs)
        if name in _BINARY:
            return _binary(_BINARY[name], *inputs)
        if name in _FORMS:
            return _FORMS[name](*inputs)
        if name not in _FUNCTIONS:
            raise TypeError(f"laws have no function '{name}'; they have {', '.join(_FUNCTIONS)}")
        return _call(name, *inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        own = {"where": where, "clip": fn.clamp}.get(function.__name__, function._implementation)
        return own(*args, **kwargs)

    def __add__(self, other: Any) -> Symbol:
        return _binary("+", self, other)

    def __radd__(self, other: Any) -> Symbol:
        return _binary("+", other, self)

    def __sub__(self, other: Any) -> Symbol:
        return _binary("-", self, other)

    def __rsub__(self, other: Any) -> Symbol:
        return _binary("-", other, self)

    def __mul__(self, other: Any) -> Symbol:
        return _binary("*", self, other)

    def __rmul__(self, other: Any) -> Symbol:
        return _binary("*", other, self)

    def __truediv__(self, other: Any) -> Symbol:
        return _binary("/", self, other)

    def __rtruediv__(self, other: Any) -> Symbol:
        return _binary("/", other, self)

    def __pow__(self, other: Any) -> Symbol:
        return _binary("^", self, other)

    def __rpow__(self, other: Any) -> Symbol:
        return _binary("^", other, self)

    def __mod__(self, other: Any) -> Symbol:
        return _call("mod", self, other)

    def __rmod__(self, other: Any) -> Symbol:
        return _call("mod", other, self)

    def __floordiv__(self, other: Any) -> Symbol:
        return _call("floor", _binary("/", self, other))

    def __rfloordiv__(self, other: Any) -> Symbol:
        return _call("floor", _binary("/", other, self))

    def __and__(self, other: Any) -> Symbol:
        return _binary("&&", self, other)

    def __rand__(self, other: Any) -> Symbol:
        return _binary("&&", other, self)

    def __or__(self, other: Any) -> Symbol:
        return _binary("||", self, other)

    def __ror__(self, other: Any) -> Symbol:
        return _binary("||", other, self)

    def __lt__(self, other: Any) -> Symbol:
        return _binary("<", self, other)

    def __le__(self, other: Any) -> Symbol:
        return _binary("<=", self, other)

    def __gt__(self, other: Any) -> Symbol:
        return _binary(">", self, other)

    def __ge__(self, other: Any) -> Symbol:
        return _binary(">=", self, other)

    def __eq__(self, other: Any) -> Symbol:  # type: ignore[override]
        return _binary("==", self, other)

    def __ne__(self, other: Any) -> Symbol:  # type: ignore[override]
        return _binary("!=", self, other)

    __hash__ = object.__hash__

    def __neg__(self) -> Symbol:
        return Symbol("(-{})", self)

    def __pos__(self) -> Symbol:
        return self

    def __abs__(self) -> Symbol:
        return _call("abs", self)

    def __invert__(self) -> Symbol:
        return Symbol("(!{})", self)

    def __cardan__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Symbol {self.text}>"


def _symbol(value: Any) -> Symbol:
    if isinstance(value, Symbol):
        return value
    number = float(value)
    if number != number or number in (float("inf"), float("-inf")):
        raise ValueError(f"a law must not contain {number}")
    return Symbol(repr(number) if number >= 0 else f"({number!r})")


def _form(form: str, *args: Any) -> Symbol:
    return Symbol(form, *map(_symbol, args))


def _binary(sign: str, a: Any, b: Any) -> Symbol:
    return _form(f"({{}} {sign} {{}})", a, b)


def _call(name: str, *args: Any) -> Symbol:
    return _form(f"{name}({', '.join(['{}'] * len(args))})", *args)


def _order(last: Symbol) -> list[Symbol]:
    """all that it holds, each once, behind what it holds itself"""
    order: list[Symbol] = []
    seen: set[int] = set()
    waiting = [(last, False)]
    while waiting:
        symbol, ready = waiting.pop()
        if ready:
            order.append(symbol)
        elif id(symbol) not in seen:
            seen.add(id(symbol))
            waiting.append((symbol, True))
            waiting.extend((each, False) for each in reversed(symbol.args))
    return order


def _write(last: Symbol) -> str:
    """the expression; what is used twice or would be nested too deeply gets a name first"""
    order = _order(last)
    uses: dict[int, int] = {}
    for symbol in order:
        for each in symbol.args:
            uses[id(each)] = uses.get(id(each), 0) + 1
    prefix = "_"
    while any(not s.args and s.form.startswith(prefix) for s in order):
        prefix += "_"
    texts: dict[int, str] = {}
    depths: dict[int, int] = {}
    named: list[str] = []
    for symbol in order:
        key = id(symbol)
        texts[key] = symbol.form.format(*(texts[id(each)] for each in symbol.args)) if symbol.args else symbol.form
        depths[key] = max((depths[id(each)] + 1 for each in symbol.args), default=0)
        if symbol.args and symbol is not last and (uses[key] > 1 or depths[key] == _DEPTH_MAX):
            name = f"{prefix}{len(named) + 1}"
            named.append(f"{name} = {texts[key]}; ")
            texts[key], depths[key] = name, 0
    return "".join(named) + texts[id(last)]


# operators of the language by the names of numpy's functions
_BINARY = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "true_divide": "/",
           "power": "^", "float_power": "^", "less": "<", "less_equal": "<=", "greater": ">",
           "greater_equal": ">=", "equal": "==", "not_equal": "!=", "logical_and": "&&",
           "logical_or": "||", "bitwise_and": "&&", "bitwise_or": "||"}
# what the language has no name for
_FORMS: dict[str, Callable[..., Any]] = {
    "negative": lambda x: -x, "positive": lambda x: x, "square": lambda x: x * x,
    "reciprocal": lambda x: 1 / x, "logical_not": lambda x: ~x, "invert": lambda x: ~x,
    "floor_divide": lambda x, y: _symbol(x) // y}


def _each(ufunc: Any, inputs: tuple[Any, ...]) -> Any:
    """of the elements of arrays, one by one"""
    import numpy
    boxed = [numpy.array(each, dtype=object) for each in inputs]
    return numpy.frompyfunc(ufunc, len(inputs), 1)(*boxed)


def where(condition: Any, a: Any, b: Any) -> Any:
    """a where the condition holds, b elsewhere; also for plain numbers"""
    if not any(isinstance(x, Symbol) for x in (condition, a, b)):
        return a if condition else b
    return _form("({} ? {} : {})", condition, a, b)


def _function(name: str, nargs: int) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        if len(args) != nargs:
            raise TypeError(f"{name} takes {nargs} arguments, not {len(args)}")
        symbol = _call(name, *args)
        return symbol if any(isinstance(x, Symbol) for x in args) else _cardan.value(symbol.text)
    call.__name__ = name
    call.__doc__ = f"{name}, of symbols in a law and of plain numbers"
    return call


class _Functions:
    """the functions of laws by name: fn.sin, fn.clamp ..."""

    def __init__(self) -> None:
        for name, nargs in _FUNCTIONS.items():
            setattr(self, name, _function(name, nargs))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"laws have no function '{name}'; they have {', '.join(_FUNCTIONS)}")


fn = _Functions()


def arguments(function: Callable[..., Any], channels: dict[str, Any]) -> dict[str, str]:
    """what each argument of a function is bound to; those with a default keep it unless they are"""
    name = getattr(function, "__name__", repr(function))
    try:
        known = inspect.signature(function).parameters
    except ValueError:
        raise TypeError(f"the arguments of {name} are not known; wrap it: lambda t: {name}(t)") from None
    bound = {}
    for key, p in known.items():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            raise TypeError(f"{name} must name its arguments, without * and **")
        if key in channels or p.default is p.empty:
            bound[key] = _channel(channels.get(key, key))
    for key in channels:
        if key not in known:
            raise TypeError(f"{name} has no argument '{key}'")
    return bound


def _by_order(function: Callable[..., Any], names: dict[str, str]) -> Callable[..., Any]:
    """the function of these arguments alone, by position"""
    known = inspect.signature(function).parameters
    plain = list(known)[:len(names)] == list(names)
    if plain and all(known[k].kind is not known[k].KEYWORD_ONLY for k in names):
        return function
    return lambda *values: function(**dict(zip(names, values)))


class Law:
    """A function as an expression; given to a field that takes functions."""

    def __init__(self, function: Callable[..., Any], channels: dict[str, Any]) -> None:
        self.function = function
        self.__doc__ = function.__doc__
        names = arguments(function, channels)
        self.text = _symbol(_by_order(function, names)(*map(Symbol, names.values()))).text

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def __cardan__(self) -> str:
        return self.text

    def __copy__(self) -> Law:
        return self

    def __deepcopy__(self, memo: Any) -> Law:
        return self

    def __reduce__(self) -> Any:
        return _again, (self.text, self.__doc__, getattr(self.function, "__name__", ""))

    def __repr__(self) -> str:
        return f"<law {getattr(self.function, '__name__', '')}: {self.text}>"


def _again(text: str, doc: str | None, name: str) -> Law:
    """a law that was pickled: its expression, without the function"""
    def gone(*args: Any) -> Any:
        raise TypeError(f"the function of the law '{name}' was not pickled, only its expression")

    law = Law.__new__(Law)
    gone.__name__ = name
    law.function, law.__doc__, law.text = gone, doc, text
    return law


class Call:
    """A function that the interpreter runs, with its arguments bound to channels."""

    def __init__(self, function: Callable[..., Any], channels: dict[str, Any]) -> None:
        names = arguments(function, channels)
        self.function = _by_order(function, names)
        self.args = list(names.values())


def call(function: Callable[..., Any], **channels: Any) -> Call:
    """any Python function as the value of a field; its arguments are the variable of the field (t)
    and what is bound to channels: ``cd.call(f, x="tip.x")``. A traced law is much faster."""
    return Call(function, channels)


def _channel(value: Any) -> str:
    """as expressions name it"""
    name = str(getattr(value, "name", value))
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", name) else f"'{name}'"


@overload
def law(function: Callable[..., Any], **channels: Any) -> Law: ...


@overload
def law(function: None = None, **channels: Any) -> Callable[[Callable[..., Any]], Law]: ...


def law(function: Callable[..., Any] | None = None, **channels: Any) -> Any:
    """decorator: the function, run once on symbols, becomes an expression of the model"""
    if function is not None:
        return Law(function, channels)
    return lambda f: Law(f, channels)
