"""Charts of any shape for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from builder.gamebox.charts import Chart, ChartCell, ChartColumn, ChartRow

words = st.text("abcdeghij ½−/-", min_size=0, max_size=30)
cell_texts = st.one_of(
    words,
    st.sampled_from(["–", "+1", "[:star:]", ":star: star", ":chip|side.Allied: x", "**a** // b"]),
)


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    number = draw(st.integers(1, 5))
    columns = tuple(
        ChartColumn(
            f"c{i}",
            draw(st.sampled_from(["", "Head", "Longer heading"])),
            draw(st.sampled_from(["", "H."])),
            draw(st.sampled_from(["left", "center", "right"])),
            is_head=i == 0,
            is_compact=i == 0 or draw(st.booleans()),
        )
        for i in range(number)
    )
    rows = tuple(
        ChartRow(
            tuple(ChartCell(draw(cell_texts), draw(st.booleans())) for _ in range(number)),
            draw(st.sampled_from(["", "Group one", "Group two"])),
        )
        for _ in range(draw(st.integers(0, 6)))
    )
    notes = tuple(draw(st.lists(words, max_size=2)))
    return Chart("any", "A title", draw(words), columns, rows, notes, mark_note="our own")
