"""Shortest ways on foot straight from the nodes and ways of an extract.

Usage: osmium cat --no-progress -f opl EXTRACT | python3 walking.py plain|wide SEED SOURCES TARGETS MOST_M

An oracle: it shares nothing with the program that is held to it, neither code nor structure. Every node
of a walked way is a place of its graph, and nothing is shortened. Standard library only.

Each line of the output is one pair of nodes:

  [from_lat, from_lon, to_lat, to_lon, metres or null]

with the coordinates as the extract has them; null: no way of MOST_M metres at most. SOURCES nodes are
drawn by SEED from those of parts that hang together and have 50 nodes or more, and TARGETS of those
within MOST_M / 2 of each by the straight line; a node that lies exactly where another one lies is drawn
by nobody, since coordinates alone do not say which is meant.

Rules: those that SOURCE.md of the recorded pairs writes out (plain, wide). A way is walked both ways; a
closed barrier is reached and not passed.
"""

import heapq
import json
import math
import random
import sys
from collections import defaultdict

RADIUS = 6371008.8
PLAIN = set(
    "footway path pedestrian steps residential service track living_street unclassified "
    "tertiary secondary primary tertiary_link secondary_link primary_link".split()
)
WIDE = PLAIN | set("cycleway bridleway road corridor platform".split())
NO_WAY = set("construction proposed abandoned razed planned disused demolished".split())
MAY = set("yes designated permissive destination customers official public".split())
CLOSED = set("no private agricultural forestry military emergency".split())
FOOT_CLOSED = CLOSED | {"use_sidepath"}
LEAST_NODES = 50


def unescape(text):
    out, i = [], 0
    while i < len(text):
        if text[i] == "%":
            end = text.index("%", i + 1)
            out.append(chr(int(text[i + 1 : end], 16)))
            i = end + 1
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


def read_tags(field):
    if not field:
        return {}
    pairs = (pair.split("=", 1) for pair in field.split(","))
    return {unescape(key): unescape(value) for key, value in pairs}


def is_walked(tags, wide):
    highway = tags.get("highway")
    if highway is None and wide:
        if tags.get("railway") == "platform" or tags.get("public_transport") == "platform":
            highway = "platform"
    if highway is None or highway in NO_WAY:
        return False
    foot = tags.get("foot")
    if foot in FOOT_CLOSED:
        return False
    if foot in MAY:
        return True
    if highway not in (WIDE if wide else PLAIN) or tags.get("motorroad") == "yes":
        return False
    return tags.get("access") not in CLOSED


def is_barrier(tags):
    if "barrier" not in tags:
        return False
    foot = tags.get("foot")
    return foot in FOOT_CLOSED or (foot not in MAY and tags.get("access") in CLOSED)


def metres(a, b):
    lat1, lon1, lat2, lon2 = (math.radians(v) for v in (*a, *b))
    h = math.sin((lat2 - lat1) / 2) ** 2
    h += math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * RADIUS * math.asin(math.sqrt(min(1, h)))


def read(lines, wide):
    places, barriers, links = {}, set(), defaultdict(dict)
    for line in lines:
        fields = {part[0]: part[1:] for part in line.rstrip("\n").split(" ")[1:] if part}
        if line[0] == "n" and fields.get("x"):
            node = int(line[1:].split(" ", 1)[0])
            places[node] = (float(fields["y"]), float(fields["x"]))
            if is_barrier(read_tags(fields.get("T", ""))):
                barriers.add(node)
        elif line[0] == "w" and is_walked(read_tags(fields.get("T", "")), wide):
            refs = [int(ref.split("x")[0][1:]) for ref in fields["N"].split(",") if ref]
            refs = [ref for ref in refs if ref in places]
            for a, b in zip(refs, refs[1:]):
                if a != b:
                    length = metres(places[a], places[b])
                    links[a][b] = min(length, links[a].get(b, math.inf))
                    links[b][a] = links[a][b]
    return places, barriers, links


def mainland(links):
    seen, large = set(), set()
    for start in links:
        if start in seen:
            continue
        part, queue = {start}, [start]
        while queue:
            for other in links[queue.pop()]:
                if other not in part:
                    part.add(other)
                    queue.append(other)
        seen |= part
        if len(part) >= LEAST_NODES:
            large |= part
    return large


def walk(start, links, barriers, most_m):
    done, queue, best = {}, [(0.0, start)], {start: 0.0}
    while queue:
        cost, node = heapq.heappop(queue)
        if node in done or cost > most_m:
            continue
        done[node] = cost
        if node in barriers and node != start:
            continue
        for other, length in links[node].items():
            if cost + length < best.get(other, math.inf):
                best[other] = cost + length
                heapq.heappush(queue, (cost + length, other))
    return done


def main():
    ruleset, seed, sources, targets, most_m = sys.argv[1:6]
    places, barriers, links = read(sys.stdin, ruleset == "wide")
    most_m = float(most_m)
    count = defaultdict(int)
    for node in links:
        count[places[node]] += 1
    nodes = sorted(n for n in mainland(links) if count[places[n]] == 1 and n not in barriers)
    draw = random.Random(int(seed))
    reach = most_m / 2 / 111195
    for start in draw.sample(nodes, min(int(sources), len(nodes))):
        lat, lon = places[start]
        wide = reach / max(0.01, math.cos(math.radians(lat)))
        near = [
            node
            for node in nodes
            if abs(places[node][0] - lat) < reach and abs(places[node][1] - lon) < wide
        ]
        found = walk(start, links, barriers, most_m)
        for end in draw.sample(near, min(int(targets), len(near))):
            length = found.get(end)
            print(json.dumps([lat, lon, *places[end], length]))


if __name__ == "__main__":
    main()
