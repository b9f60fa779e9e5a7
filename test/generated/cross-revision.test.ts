import * as protocol from "@mcpwright/protocol";
import {
  availability,
  handshakeRevisions,
  isRevision,
  latestRevision,
  negotiate,
  negotiateHandshake,
  revisions,
  type Revision,
} from "@mcpwright/protocol";
import { describe, expect, test } from "vitest";
import { published } from "../support/protocol.js";

test("lists the revisions, oldest first", () => {
  expect(revisions).toEqual(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]);
  expect(latestRevision).toBe("2026-07-28");
  expect(handshakeRevisions).toEqual(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]);
});

test("each revision's own entry agrees with the lists", () => {
  expect(published.map(({ entry }) => entry["PROTOCOL_VERSION"])).toEqual(revisions);
  expect(published.map(({ entry }) => entry.clientSide.revision)).toEqual(revisions);
  expect(published.map(({ entry }) => entry.serverSide.revision)).toEqual(revisions);
  const opening = published.filter(({ entry }) => entry.serverSide.profile.opening === "handshake");
  expect(opening.map(({ revision }) => revision)).toEqual(handshakeRevisions);
});

test.each<[unknown, boolean]>([
  ["2024-11-05", true],
  ["2026-07-28", true],
  ["2026-07-29", false],
  ["latest", false],
  ["constructor", false],
  ["__proto__", false],
  ["0", false],
  ["", false],
  [0, false],
  [null, false],
  [undefined, false],
  [["2026-07-28"], false],
])("isRevision(%j): %s", (value, expected) => {
  expect(isRevision(value)).toBe(expected);
});

describe("negotiate finds the newest revision that both sides support", () => {
  test.each<[string, readonly string[], readonly Revision[] | undefined, Revision | undefined]>([
    ["a known one", ["2025-06-18"], undefined, "2025-06-18"],
    ["all", revisions, undefined, "2026-07-28"],
    ["in any order", ["2025-06-18", "2025-11-25", "2024-11-05"], undefined, "2025-11-25"],
    ["in any order of our own", revisions, ["2025-06-18", "2025-11-25", "2024-11-05"], "2025-11-25"],
    ["a newer one and a known one", ["2099-01-01", "2025-03-26"], undefined, "2025-03-26"],
    ["only a newer one", ["2099-01-01"], undefined, undefined],
    ["only an older one", ["2024-10-07"], undefined, undefined],
    ["nonsense", ["", "constructor", "2025-06"], undefined, undefined],
    ["nothing", [], undefined, undefined],
    ["nothing of one's own", revisions, [], undefined],
    ["a subset of one's own", ["2025-11-25", "2026-07-28"], ["2024-11-05", "2025-11-25"], "2025-11-25"],
    ["no overlap", ["2025-11-25", "2026-07-28"], ["2024-11-05", "2025-03-26"], undefined],
  ])("%s: %j and %j", (_, peer, own, expected) => {
    expect(negotiate(peer, own)).toBe(expected);
    if (own) expect(negotiate(own, peer.filter(isRevision))).toBe(expected);
  });
});

describe("negotiateHandshake responds to `initialize`", () => {
  test.each<[string, string, readonly Revision[] | undefined, Revision | undefined]>([
    ["with the requested revision", "2025-03-26", undefined, "2025-03-26"],
    ["with the oldest too", "2024-11-05", undefined, "2024-11-05"],
    ["with the newest if a newer one is requested", "2099-01-01", undefined, "2025-11-25"],
    ["with the newest if an older one is requested", "2024-10-07", undefined, "2025-11-25"],
    ["with the newest if the requested one has no handshake", "2026-07-28", undefined, "2025-11-25"],
    ["with the newest if the requested one is invalid", "constructor", undefined, "2025-11-25"],
    ["with the newest if the requested one is empty", "", undefined, "2025-11-25"],
    ["with one's own newest", "2025-11-25", ["2025-03-26", "2024-11-05"], "2025-03-26"],
    ["with the requested one of one's own", "2024-11-05", ["2025-03-26", "2024-11-05"], "2024-11-05"],
    ["never with one that has no handshake", "2026-07-28", ["2025-06-18", "2026-07-28"], "2025-06-18"],
    ["not at all without one that has a handshake", "2025-11-25", ["2026-07-28"], undefined],
    ["not at all without any", "2025-11-25", [], undefined],
  ])("%s: %j of %j", (_, requested, own, expected) => {
    expect(negotiateHandshake(requested, own)).toBe(expected);
  });
});

describe("availability", () => {
  const sides = ["client", "server"] as const;
  const stated = sides.flatMap((side) =>
    (["requests", "notifications"] as const).flatMap((kind) =>
      Object.entries<readonly string[]>(availability[side][kind]).flatMap(([method, found]) =>
        found.map((revision) => `${revision} ${side} ${kind} ${method}`),
      ),
    ),
  );

  test("agrees with the five models", () => {
    const modelled = published.flatMap(({ revision, model }) => [
      ...model.requests.map(({ sender, method }) => `${revision} ${sender} requests ${method}`),
      ...model.notifications.map(({ sender, method }) => `${revision} ${sender} notifications ${method}`),
    ]);
    expect(stated.toSorted()).toEqual(modelled.toSorted());
  });

  test("agrees with the tables of the other side", () => {
    const received = published.flatMap(({ revision, entry }) =>
      sides.flatMap((side) => {
        const { requests, notifications } = entry[side === "client" ? "serverSide" : "clientSide"].receives;
        return [
          ...Object.keys(requests).map((method) => `${revision} ${side} requests ${method}`),
          ...Object.keys(notifications).map((method) => `${revision} ${side} notifications ${method}`),
        ];
      }),
    );
    expect(stated.toSorted()).toEqual(received.toSorted());
  });

  test("lists revisions oldest first", () => {
    const lists = sides.flatMap((side) =>
      Object.values<Readonly<Record<string, readonly string[]>>>(availability[side]).flatMap((kind) => Object.values(kind)),
    );
    const unsorted = lists.filter((list) => list.join() !== revisions.filter((revision) => list.includes(revision)).join());
    expect(unsorted).toEqual([]);
    expect(lists).toHaveLength(19 + 5 + 8 + 10);
  });

  test.each<["client" | "server", "requests" | "notifications", string, readonly string[]]>([
    ["client", "requests", "tools/call", revisions],
    ["client", "requests", "initialize", handshakeRevisions],
    ["client", "requests", "server/discover", ["2026-07-28"]],
    ["client", "requests", "tasks/get", ["2025-11-25"]],
    ["server", "requests", "tasks/get", ["2025-11-25"]],
    ["server", "requests", "elicitation/create", ["2025-06-18", "2025-11-25"]],
    ["server", "notifications", "notifications/subscriptions/acknowledged", ["2026-07-28"]],
    ["client", "notifications", "notifications/cancelled", revisions],
  ])("a %s's %s %s: %j", (side, kind, method, expected) => {
    expect((availability[side][kind] as Record<string, readonly string[]>)[method]).toEqual(expected);
  });
});

test("the root entry has no exports of a single revision", () => {
  expect(Object.keys(protocol).sort()).toEqual([
    "availability",
    "handshakeRevisions",
    "isRevision",
    "latestRevision",
    "negotiate",
    "negotiateHandshake",
    "revisions",
  ]);
});
