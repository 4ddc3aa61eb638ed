"""Ways without steps within the stations of a timetable, straight from its files.

Usage: python3 stations.py FEED.zip

An oracle: it shares nothing with the program that is held to it, neither code nor structure. Each station
is a table of all its places by all its places (Floyd and Warshall), made anew for each lift that is out of
order. Standard library only. Each line of the output is one of

  ["pair", entrance, platform, metres or null]     the shortest way in, all lifts as planned
  ["platform", lift or "", platform, answer]       to the street and back with this lift out of order

where an answer is true, false or null (unknown). Rules (docs/walking.md, Within stations): stairs and
escalators are closed, all else is walked; what is steeper than 6 %, narrower than 0.9 m, has stairs or says
one of these in a way that cannot be read is in doubt; an exit gate has one direction. An entrance that is
not accessible for wheelchairs is in doubt, a platform that is not is never reached for certain; one that
is, and is not reached as planned, is unknown. A way without a length has none.
"""

import csv
import io
import json
import sys
import zipfile
from collections import defaultdict

FAR = float("inf")
CLOSED = {"2", "4"}


def rows_of(archive, name):
    if name not in archive.namelist():
        return []
    with archive.open(name) as file:
        return list(csv.DictReader(io.TextIOWrapper(file, "utf-8-sig")))


def is_in_doubt(row):
    checks = {
        "stair_count": lambda value: value == 0,
        "max_slope": lambda value: abs(value) <= 0.06,
        "min_width": lambda value: value >= 0.9,
    }
    for name, is_fine in checks.items():
        text = (row.get(name) or "").strip()
        if not text:
            continue
        try:
            if not is_fine(float(text)):
                return True
        except ValueError:
            return True
    return False


def wheelchair_of(stops, stop_id):
    for _ in range(3):
        row = stops.get(stop_id)
        if row is None:
            return "0"
        value = (row.get("wheelchair_boarding") or "").strip()
        if value in ("1", "2"):
            return value
        stop_id = row.get("parent_station") or None
    return "0"


def distances(names, ways, out, doubts_too):
    at = {name: i for i, name in enumerate(names)}
    table = [[FAR] * len(names) for _ in names]
    for i in range(len(names)):
        table[i][i] = 0.0
    for row in ways:
        if row["pathway_mode"] in CLOSED or row["pathway_id"] == out:
            continue
        if not doubts_too and is_in_doubt(row):
            continue
        length = float(row["length"]) if (row.get("length") or "").strip() else 0.0
        a, b = at[row["from_stop_id"]], at[row["to_stop_id"]]
        table[a][b] = min(table[a][b], length)
        if row["is_bidirectional"] == "1" and row["pathway_mode"] != "7":
            table[b][a] = min(table[b][a], length)
    for via in range(len(names)):
        through = table[via]
        for own in table:
            first = own[via]
            if first == FAR:
                continue
            for to, second in enumerate(through):
                if first + second < own[to]:
                    own[to] = first + second
    return {(a, b): table[at[a]][at[b]] for a in names for b in names}


def answers(stops, names, ways, out):
    sure = distances(names, ways, out, False)
    wide = distances(names, ways, out, True)
    entrances = [name for name in names if stops[name]["location_type"] == "2"]
    good = [name for name in entrances if wheelchair_of(stops, name) != "2"]
    result = {}
    for name in names:
        if (stops[name]["location_type"] or "0") != "0":
            continue
        enters = any(sure[entrance, name] < FAR for entrance in good)
        leaves = any(sure[name, entrance] < FAR for entrance in good)
        may_enter = any(wide[entrance, name] < FAR for entrance in entrances)
        may_leave = any(wide[name, entrance] < FAR for entrance in entrances)
        if enters and leaves:
            result[name] = None if wheelchair_of(stops, name) == "2" else True
        elif entrances and not (may_enter and may_leave):
            result[name] = False
        else:
            result[name] = None
    return result, sure, entrances


def main(path):
    archive = zipfile.ZipFile(path)
    stops = {row["stop_id"]: row for row in rows_of(archive, "stops.txt")}
    by_station = defaultdict(list)
    for row in rows_of(archive, "pathways.txt"):
        by_station[stops[row["from_stop_id"]]["parent_station"]].append(row)
    for station in sorted(by_station):
        ways = by_station[station]
        names = sorted({row[end] for row in ways for end in ("from_stop_id", "to_stop_id")})
        planned, sure, entrances = answers(stops, names, ways, None)
        for entrance in entrances:
            for platform in planned:
                metres = sure[entrance, platform]
                print(json.dumps(["pair", entrance, platform, None if metres == FAR else metres]))
        lifts = [row["pathway_id"] for row in ways if row["pathway_mode"] == "5"]
        for out in ["", *lifts]:
            found = answers(stops, names, ways, out or None)[0]
            for platform, answer in found.items():
                at_odds = wheelchair_of(stops, platform) == "1" and planned[platform] is False
                stated = None if answer is False and at_odds else answer
                print(json.dumps(["platform", out, platform, stated]))


if __name__ == "__main__":
    main(sys.argv[1])
