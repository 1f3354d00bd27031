"""The capacity model: its arithmetic, and docs/scaling.md, whose tables it prints."""

from __future__ import annotations

import json
import math
import re
from dataclasses import fields, replace
from typing import Any

import pytest

from bench.capacity import (
    BLOCK,
    MEASURED,
    PAGE,
    PEOPLE,
    Assumptions,
    assumptions_table,
    check_predicted,
    commits,
    imbalance,
    needs,
    queue_mean,
    queue_p99,
    tables,
    written,
)
from bench.capacity_measure import split
from bench.cluster import simulated_table
from tilery.server.settings import Settings

# Round numbers, so that the results can be worked out by hand.
FIGURES: dict[str, Any] = {
    "cpu_per_move_us": 200.0,
    "cpu_per_forwarded_move_us": 200.0,
    "idle_cores": 0.0,
    "database_idle_cores": 0.0,
    "cpu_per_transaction_us": 0.0,
    "database_cpu_per_transaction_us": 0.0,
    "cpu_per_game_us": 0.0,
    "cpu_per_ping_us": 0.0,
    "cpu_per_notification_us": 50.0,
    "cpu_per_heard_move_us": 2.0,
    "database_cpu_per_move_us": 100.0,
    "memory_base_mb": 100,
    "memory_per_table_kb": 100.0,
    "memory_per_socket_kb": 10.0,
    "bytes_out_per_move": 2000.0,
    "rows_inserted_per_move": 1.0,
    "rows_updated_per_move": 1.0,
    "wal_bytes_per_move": 500.0,
    "stored_bytes_per_move": 250.0,
    "bot_cpu_per_game_s": {"level-14": 0.1},
    "moves_per_game": 60.0,
}
GIVEN = Assumptions(
    minutes_per_game=20.0, against_bots=0.0, spectators_per_table=0.0, peak_over_mean=2.0, gather_ms=0.0
)


def measured() -> dict[str, Any]:
    figures: dict[str, Any] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return figures


def test_the_arithmetic_of_ten_thousand_people() -> None:
    found = needs(10_000, FIGURES, GIVEN)
    assert found.tables == 5_000
    assert found.moves_per_second == pytest.approx(5_000 * 60 / 1_200)
    assert found.sockets == 10_000
    assert found.processes == 1
    assert found.core_of_busiest == pytest.approx(250 * 200e-6)
    assert found.hearing == 0
    assert found.memory_gb == pytest.approx(100 / 1024 + 5_000 * 100 / 1e6 + 10_000 * 30 / 1e6)
    assert found.megabits_out == pytest.approx(250 * 2_000 * 8 / 1e6)
    assert found.rows_per_second == pytest.approx(500)
    assert found.wal_mb_per_second == pytest.approx(250 * 500 / 1e6)
    assert found.database_cores == pytest.approx(0.025)
    assert found.gigabytes_per_day == pytest.approx(125 * 86_400 * 250 / 1e9)
    assert found.bot_cores == 0


def test_people_who_play_against_bots_need_more_tables_and_cores_for_bots() -> None:
    found = needs(10_000, FIGURES, replace(GIVEN, against_bots=1.0))
    assert found.tables == 10_000
    assert found.bot_cores == pytest.approx(10_000 / 1_200 * 0.1)


def test_more_people_need_no_less_of_anything() -> None:
    for given in (Assumptions(), Assumptions(notify_all=False), Assumptions(elsewhere=0.5)):
        found = [needs(people, measured(), given) for people in range(10_000, 2_000_000, 150_000)]
        for name in ("processes", "memory_gb", "megabits_out", "rows_per_second", "database_cores", "bot_cores"):
            values = [getattr(each, name) for each in found]
            assert values == sorted(values), name
        assert all(each.core_of_busiest <= given.core_use for each in found)


def test_processes_that_hear_too_much_are_never_enough() -> None:
    found = needs(1_000_000, FIGURES | {"cpu_per_heard_move_us": 50.0}, replace(GIVEN, commit_ms=0.001))
    assert found.core_of_busiest > GIVEN.core_use
    assert found.bottleneck.startswith("hearing of every change")


def test_a_slow_disk_is_the_bottleneck_of_processes_that_take_turns() -> None:
    turns, shared = (
        needs(1_000_000, FIGURES, replace(GIVEN, commit_ms=10.0, notify_all=all_)) for all_ in (True, False)
    )
    assert turns.bottleneck.startswith("waiting for commits")
    assert turns.p99_ms > 5 * shared.p99_ms


def test_queues() -> None:
    assert queue_mean(1.0, 0.5) == pytest.approx(1.5)  # Pollaczek and Khinchine
    assert queue_p99(1.0, 0.0) == 1.0
    assert queue_p99(1.0, 1.0) == queue_mean(1.0, 1.0) == math.inf
    assert imbalance(1) == 1.0


def test_commits_of_busy_processes_take_turns() -> None:
    busy = commits(100, 50_000, 0.001, 0.0, 0.0, one_at_a_time=True)
    assert busy.per_second == pytest.approx(1_000, rel=0.01)
    assert busy.p99_ms == pytest.approx(2 * 100, rel=0.02)
    assert commits(1, 1, 0.001, 0.0, 0.0, one_at_a_time=False).p99_ms == pytest.approx(1.0, rel=0.01)


def test_costs_of_moves_and_of_transactions() -> None:
    assert split((1.0, 300.0), (0.5, 200.0)) == pytest.approx((100.0, 200.0))
    assert split((0.5, 100.0), (1.0, 300.0)) == pytest.approx((0.0, 280.0))  # the least squares of 0.5 c and 1.0 c
    assert split((0.5, 300.0), (1.0, 200.0)) == pytest.approx((250.0, 0.0))


# The page


def test_the_page_has_the_tables_that_the_command_prints() -> None:
    page = PAGE.read_text(encoding="utf-8")
    texts = tables(measured(), Assumptions()) | {"simulated": simulated_table()}
    assert set(re.findall(r"^<!-- capacity: (\w+) -->$", page, re.MULTILINE)) == texts.keys()
    assert len(BLOCK.findall(page)) == len(texts)
    assert written(page, texts) == page, "`python -m bench.capacity --write` writes them"


def test_every_assumption_is_explained_and_the_defaults_of_the_server_are_its_own() -> None:
    for line in assumptions_table(Assumptions()).splitlines()[2:]:
        assert line.split("|")[3].strip(), line
    assert len(assumptions_table(Assumptions()).splitlines()) == 2 + len(fields(Assumptions))
    assert Assumptions().heartbeat_seconds == Settings().heartbeat_interval


def test_the_runs_with_one_and_two_processes_are_near_the_prediction() -> None:
    """Within a third: the machine's speed varies, and the load generator sends in small groups, not one by one."""
    figures = measured()
    assert [check["processes"] for check in figures["checks"]] == [1, 2]
    for check in figures["checks"]:
        cpu, syncs = check_predicted(check, figures)
        assert cpu == pytest.approx(check["cpu_per_move_us"], rel=0.34)
        assert syncs == pytest.approx(check["fsyncs_per_second"], rel=0.34)


def test_numbers_of_people_are_those_of_the_page() -> None:
    head = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if "people playing at once |" in line)
    assert [int(cell.replace(",", "")) for cell in head.split("|")[2:-1]] == list(PEOPLE)
