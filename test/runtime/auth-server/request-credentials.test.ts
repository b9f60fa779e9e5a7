import { expect, it } from "vitest";
import { readCredentials } from "../../../runtime/src/auth-server/request-credentials.js";
import { randomFrom } from "../../support/random-instances.js";
import { requestWith } from "./requests.js";

it("reads one token or none from random headers", () => {
  const next = randomFrom("authorization");
  const random = (below: number): number => Math.floor(next() * below);
  const pieces = [
    "Bearer",
    "bearer",
    "DPoP",
    "Basic",
    " ",
    "  ",
    "\t",
    ",",
    ", ",
    "=",
    "==",
    "abc.def",
    "~+/-_",
    '"',
    "é",
    "\0",
  ];
  const counts = { token: 0, none: 0, malformed: 0 };
  for (let round = 0; round < 20_000; round++) {
    const authorization = Array.from({ length: random(6) }, () => pieces[random(pieces.length)]).join("");
    const credentials = readCredentials(requestWith({ headers: { authorization } }));
    counts[credentials.kind]++;
    if (credentials.kind !== "token") continue;
    // One scheme, spaces, one token: nothing else of the header is lost.
    expect(authorization.toLowerCase().replace(/ +/, " ")).toBe(
      `${credentials.scheme} ${credentials.token}`.toLowerCase(),
    );
    expect(credentials.token).toMatch(/^[\w.~+/-]+=*$/);
  }
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(50);
});

it("takes linear time for hostile headers", () => {
  for (const authorization of [
    `Bearer ${" ".repeat(100_000)}`,
    `Bearer ${"a".repeat(100_000)}!`,
    `Bearer ${"a=".repeat(50_000)}`,
    `x${",bearer".repeat(20_000)}`,
    `x${", ".repeat(50_000)}`,
  ])
    expect(readCredentials(requestWith({ headers: { authorization } })).kind).not.toBe("token");
});
