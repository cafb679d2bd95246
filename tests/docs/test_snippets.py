"""Snippets are found, run and compared: a page that says something else than its commands print is noticed."""

from tests.docs import renew, snippets

PAGE = """# A page

<!-- file: three.py -->
```{testcode}
VALUE = 3
```

```console
$ cat three.py
VALUE = 3
$ echo a \\
  b; echo c
a b
...
```

```{testcode}
import three
print(three.VALUE, "of\\n", 4)
```
```{testoutput}
3 of
4
```

<!-- slow -->
```console
$ echo slow
slow
```

```sh
never run
```
"""


def page_differences(page, tmp_path, slow=True):
    """Return the command and the actual output of every difference of a page."""
    return [(one.command, one.got) for one in snippets.differences(page, tmp_path, slow=slow)]


def test_a_page_that_is_right_has_no_difference(tmp_path):
    assert page_differences(PAGE, tmp_path) == []
    assert renew.update_outputs(PAGE, tmp_path) == (PAGE, 0)


def test_every_kind_of_output_is_compared(tmp_path):
    assert page_differences(PAGE.replace("a b\n...", "a c\n..."), tmp_path) == [("echo a b; echo c", "a b\nc\n")]
    assert page_differences(PAGE.replace("3 of\n4", "4 of\n4"), tmp_path) == [("{testoutput}", "3 of\n 4\n")]
    wrong = PAGE.replace("\nslow\n```", "\nfast\n```")
    assert (page_differences(wrong, tmp_path, slow=False), page_differences(wrong, tmp_path)) == ([], [("echo slow", "slow\n")])


def test_outputs_are_written_again_and_the_rest_stays(tmp_path):
    wrong = PAGE.replace("a b\n...", "no").replace("3 of\n4", "").replace("\nslow\n```", "\nfast\n```")
    new, count = renew.update_outputs(wrong, tmp_path)
    assert count == 3
    assert new == PAGE.replace("a b\n...", "a b\nc").replace("3 of\n4", "3 of\n 4")


def test_lines_that_the_page_left_out_stay_left_out():
    got = "title new\nrow 1\nrow 2 = 5\nlast words\n"
    assert renew.shorten_output("title old\n...\nrow 2 = 4\n...\n", got) == "title new\n...\nrow 2 = 5\n..."
    assert renew.shorten_output("title ...\n...", got) == "title ...\n..."
    assert renew.shorten_output("something else altogether", got) == got.rstrip()


def test_a_page_leaves_nothing_behind(tmp_path):
    import sys

    before = list(sys.path)
    assert page_differences(PAGE, tmp_path) == []
    assert "three" not in sys.modules
    assert sys.path == before


def test_rows_of_latex_are_not_joined():
    assert snippets.commands("$ a\nb \\\\\nc\n$ d\n") == [("a", "b \\\\\nc\n"), ("d", "")]


def test_a_command_of_the_lab_that_fails_shows_its_message(tmp_path):
    assert snippets.run_command("theory-lab show nothing-of-this-name").startswith("theory-lab: key = 'nothing-of-this-name': no such key")


def test_the_output_of_a_slow_block_is_not_compared_with_that_of_the_block_before(tmp_path):
    page = "```{testcode}\nprint(1)\n```\n\n<!-- slow -->\n```{testcode}\nprint(2)\n```\n\n```{testoutput}\n2\n```\n"
    assert page_differences(page, tmp_path, slow=False) == page_differences(page, tmp_path) == []
    assert page_differences(page.replace("\n2\n", "\n3\n"), tmp_path) == [("{testoutput}", "2\n")]
