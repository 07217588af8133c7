"""Lists of tables: one's own with results, filters and pages."""

from __future__ import annotations

import asyncio
from typing import Any

from sqlalchemy import insert, select, update

from azalai.server.database import migrate, open_engine, upgrade
from azalai.server.rows import PlayerRow, TableRow
from tests.server.running import Guest, InThread, quick


def ids(guest: Guest, kind: str, **filters: Any) -> list[str]:
    """The tables of a list."""
    return [one["id"] for one in guest.get("/tables", list=kind, **filters)["tables"]]


def given_up(guest: Guest, game: str, *others: str) -> Any:
    """A finished game that the guest has lost against computer players."""
    table = guest.found(game, "me", *(others or ("greedy",)))
    guest.act(table, "resign")
    return table


def test_a_finished_game_tells_who_came_where_with_how_many_points(anna):
    table = given_up(anna, "targui")
    shown = next(one for one in anna.get("/tables", list="finished")["tables"] if one["id"] == table["id"])
    result = anna.look(table)["result"]
    assert [seat["place"] for seat in shown["seats"]] == result["ranking"]
    assert [seat["score"] for seat in shown["seats"]] == result["scores"]
    assert [seat["mine"] for seat in shown["seats"]] == [True, False]
    assert shown["seats"][1]["bot_name"]


def test_a_running_game_tells_since_when_whose_turn_it_is(anna, bela):
    table = anna.found("targui", "me", "open", clock={"kind": "slow", "days": 3})
    bela.act(table, "seats")
    before = next(one for one in anna.get("/tables", list="mine")["tables"] if one["id"] == table["id"])
    player = (anna, bela)[before["pending"][0]]
    assert before["deadline"] == before["acted"] + 3 * 86_400_000
    bela.act(table, "chat", {"text": "Hello"})
    said = next(one for one in anna.get("/tables", list="mine")["tables"] if one["id"] == table["id"])
    assert said["acted"] == before["acted"]  # talking is no move
    player.play(player.look(table))
    after = next(one for one in anna.get("/tables", list="mine")["tables"] if one["id"] == table["id"])
    assert after["acted"] >= before["acted"]
    assert after["ply"] == before["ply"] + 1


def test_finished_games_are_found_by_game_opponent_and_outcome(guest):
    anna, bela = guest(), guest()
    bela.ask("PATCH", "/me", json={"name": "Bela 100%"})
    alone = given_up(anna, "targi")
    together = anna.found("targui", "me", "open")
    bela.act(together, "seats")
    bela.act(together, "resign")
    assert ids(anna, "finished") == [together["id"], alone["id"]]
    assert ids(anna, "finished", game="targi") == [alone["id"]]
    assert ids(anna, "finished", opponent="bela 1") == [together["id"]]
    assert ids(anna, "finished", opponent="100%") == [together["id"]]
    assert ids(anna, "finished", opponent="1_0") == []  # signs of a pattern are taken as they are
    assert ids(anna, "finished", outcome="won") == [together["id"]]
    assert ids(anna, "finished", outcome="lost") == [alone["id"]]
    assert ids(bela, "finished", outcome="lost") == [together["id"]]


def test_a_long_list_comes_in_pages(guest):
    anna = guest()
    tables = [given_up(anna, "targi")["id"] for _ in range(5)]
    found, mark = [], None
    while True:
        page = anna.get("/tables", list="finished", limit=2, **({"before": mark} if mark else {}))
        found += [one["id"] for one in page["tables"]]
        mark = page["next"]
        if mark is None:
            break
    assert found == tables[::-1]


def test_a_seat_that_is_kept_is_an_invitation_until_it_is_taken(anna, bela):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    anna.act(table, "resign")
    again = anna.act(table, "rematch")["id"]
    assert ids(bela, "invitations") == [again]
    assert ids(anna, "invitations") == []
    bela.post(f"/tables/{again}/seats")
    assert ids(bela, "invitations") == []


def test_games_that_an_earlier_version_has_stored_get_their_result_when_they_are_listed(new_database):
    database = new_database()

    async def forget_results() -> None:
        engine = open_engine(database)
        async with engine.begin() as connection:
            await connection.execute(update(PlayerRow).values(place=None, score=None))
        await engine.dispose()

    with InThread(quick(database)) as server:
        anna = Guest(server.address)
        table = given_up(anna, "targui")
        asyncio.run(forget_results())
        for _ in range(2):  # counted, then read
            shown = anna.get("/tables", list="finished")["tables"][0]
            assert [seat["place"] for seat in shown["seats"]] == anna.look(table)["result"]["ranking"]
        anna.http.close()


def test_tables_of_the_schema_before_went_on_when_they_last_changed(empty_database):
    database = empty_database()
    row = {
        "id": "old", "game": "targui", "rules": 1, "layout": "?", "options": {}, "seed": 7, "setup": {"seats": 2}, "public": True,
        "creator": "somebody", "created": 1, "updated": 5, "status": "waiting", "number": 0, "ply": 0, "pending": 0,
    }  # fmt: skip

    async def migrated() -> int:
        engine = open_engine(database)
        async with engine.begin() as connection:
            await connection.run_sync(lambda sync: upgrade(sync, "0003"))
            await connection.execute(insert(TableRow), [row])
        await migrate(engine)
        async with engine.connect() as connection:
            found = (await connection.execute(select(TableRow.acted))).scalar_one()
        await engine.dispose()
        return found

    assert asyncio.run(migrated()) == 5


def test_lists_and_clocks_find_tables_by_an_index_that_holds_no_others(tmp_path):
    async def plans() -> list[str]:
        engine = open_engine(f"sqlite:///{tmp_path}/azalai.db")
        await migrate(engine)
        listed = select(TableRow.id).where(TableRow.public, TableRow.status == "waiting", TableRow.updated >= 1)
        due = select(TableRow.id).where(TableRow.wake <= 1)
        found = []
        async with engine.connect() as connection:
            for query in listed, due:
                compiled = str(query.compile(engine.sync_engine, compile_kwargs={"literal_binds": True}))
                found.append(str((await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}")).all()))
        await engine.dispose()
        return found

    listed, due = asyncio.run(plans())
    assert "tables_by_status" in listed
    assert "tables_by_wake" in due
