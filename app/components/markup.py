"""Real HTML tables: headers a screen reader can follow, cards on a phone, colours for light and dark.

Streamlit's data grid is a canvas without table semantics, therefore `st.html`. Every text is escaped here; Streamlit
sanitises the result once more (SVG is removed by it, so bars are made of spans).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files

#: Colour classes of styles.css; a tone only repeats what icon and word say.
TONES = frozenset({"good", "warn", "bad", "open", "mute"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell: what stands in it, already as markup, and how it is called on a phone where headers are hidden."""

    html: str
    label: str = ""
    tone: str = ""
    kind: str = "td"
    numeric: bool = False
    span: int = 1

    def markup(self) -> str:
        """The cell as HTML; ARIA roles keep the table a table when it is drawn as cards."""
        role = "rowheader" if self.kind == "th" else "cell"
        scope = ' scope="row"' if self.kind == "th" else ""
        span = f' colspan="{self.span}"' if self.span > 1 else ""
        classes = " ".join(name for name in (self.tone, "num" if self.numeric else "") if name)
        return (
            f'<{self.kind} role="{role}"{scope}{span} class="{classes}" data-label="{escape(self.label)}">'
            f"{self.html}</{self.kind}>"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row, or a heading over the rows that follow."""

    cells: tuple[Cell, ...] = ()
    heading: str | None = None
    #: Said beside the heading.
    note: str = ""
    selected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with a caption, told to assistive technologies first."""

    caption: str
    headers: Sequence[str]
    rows: Sequence[Row]
    kind: str = "plain"
    #: Header markup that differs from the plain header text, by position.
    header_html: Mapping[int, str] = field(default_factory=dict)
    caption_hidden: bool = False

    def markup(self) -> str:
        """The table as HTML with the styles it needs."""
        head = "".join(self._header(i, text) for i, text in enumerate(self.headers))
        body = "".join(self._row(row) for row in self.rows)
        hidden = ' class="only-read"' if self.caption_hidden else ""
        return (
            f"{styles()}"
            f'<table role="table" class="vera {self.kind}"><caption{hidden}>{escape(self.caption)}</caption>'
            f'<thead role="rowgroup"><tr role="row">{head}</tr></thead><tbody role="rowgroup">{body}</tbody></table>'
        )

    def _header(self, position: int, text: str) -> str:
        cells = [row.cells[position] for row in self.rows if len(row.cells) == len(self.headers)]
        mark = ' class="num"' if cells and all(cell.numeric for cell in cells) else ""
        return f'<th role="columnheader" scope="col"{mark}>{self.header_html.get(position, escape(text))}</th>'

    def _row(self, row: Row) -> str:
        if row.heading is not None:
            note = f'<span class="note">{escape(row.note)}</span>' if row.note else ""
            return (
                f'<tr role="row" class="group"><th role="rowheader" scope="rowgroup" '
                f'colspan="{len(self.headers)}">{escape(row.heading)}{note}</th></tr>'
            )
        mark = ' class="selected"' if row.selected else ""
        return f'<tr role="row"{mark}>{"".join(cell.markup() for cell in row.cells)}</tr>'


def styles() -> str:
    """The one style sheet of the tables, scoped to their class."""
    css = files("app.components").joinpath("data/tables.css").read_text(encoding="utf-8")
    return f"<style>{css}</style>"


def link(text_html: str, href: str, *, label: str | None = None, kind: str = "") -> str:
    """A link whose text is markup; `label` is what a screen reader says in place of an icon and a number."""
    spoken = f' aria-label="{escape(label)}" title="{escape(label)}"' if label else ""
    return f'<a class="{kind}" href="{escape(href)}"{spoken}>{text_html}</a>'


def icon(sign: str) -> str:
    """A sign that repeats the word beside it and is therefore not read out."""
    return f'<span class="sign" aria-hidden="true">{escape(sign)}</span>'


def state(sign: str, word: str) -> str:
    """A sign with its word, on one line."""
    return f'<span class="state">{icon(sign)}{escape(word)}</span>'


def small(text: str) -> str:
    """Secondary text on a line of its own."""
    return f'<span class="small">{escape(text)}</span>'


def lines(parts: Iterable[str]) -> str:
    """Several sentences below each other."""
    return "".join(f'<span class="line">{escape(part)}</span>' for part in parts)


def explained(text: str, explanation: str) -> str:
    """A technical word with its sentence on hovering; the same sentence stands in the glossary of the page."""
    return f'<abbr title="{escape(explanation)}">{escape(text)}</abbr>'
