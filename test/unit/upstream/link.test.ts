import assert from "node:assert/strict";
import { test } from "node:test";
import { findLink } from "#upstream/link.ts";

test("the next page is found wherever the header names it", () => {
  const headers = [
    '<https://a.example/2>; rel="next"',
    "<https://a.example/2>; rel=next",
    '<https://a.example/1>; rel="prev", <https://a.example/2> ; title="a, \\" <b>; rel=x" ; rel="next"',
    '</0>;rel="first",<https://a.example/2>;REL="last NEXT"',
    "<https://a.example/2>; crossorigin; rel=next; rel=prev",
  ];
  for (const header of headers)
    assert.equal(findLink(header, "next"), "https://a.example/2", header);
});

test("a reply that names no next page has none", () => {
  const headers = ["", "<", "<a", "<a>", "<a>; rel", "<a>; rel=", '<a>; rel="prev"', "a; rel=next"];
  for (const header of [
    ...headers,
    '<a>; title="rel=next"',
    '<a>; rel="nexts"',
    "<a>; rel=prev; rel=next",
  ])
    assert.equal(findLink(header, "next"), null, header);
});

test("a header of any length is read in one pass", () => {
  for (const pump of ["<", "<a>", "<a>;", '<a>;rel="', ";,", "<a>; x "])
    assert.equal(findLink(pump.repeat(200_000), "next"), null);
});
