"""What every refusal of the library and of tables must be; the cases of tables are in `tests/table`."""

import pytest

pytest.register_assert_rewrite("tests.refusals.checks")
