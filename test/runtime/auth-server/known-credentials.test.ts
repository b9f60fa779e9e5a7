import { describe, expect, it } from "vitest";
import { KnownCredentials } from "../../../runtime/src/auth-server/known-credentials.js";
import { readCredentials } from "../../../runtime/src/auth-server/request-credentials.js";
import type { TokenCredentials } from "../../../runtime/src/auth-server/token-credentials.js";
import { requestWith } from "./requests.js";

const tail = "x".repeat(32);
const read = (authorization: string, known?: KnownCredentials, url = "/mcp") =>
  readCredentials(requestWith({ url, headers: { authorization } }), known);
const accept = (authorization: string, known: KnownCredentials): void =>
  known.add(read(authorization) as TokenCredentials);

describe("a known header", () => {
  it("is not parsed again", () => {
    const known = new KnownCredentials(10);
    accept("Bearer abc", known);
    expect(read("Bearer abc", known)).toBe(read("Bearer abc", known));
    expect(read("Bearer abc", known)).toMatchObject({ kind: "token", scheme: "Bearer", token: "abc" });
  });

  it("does not hide that the query has a token, too", () => {
    const known = new KnownCredentials(10);
    accept("Bearer abc", known);
    expect(read("Bearer abc", known, "/mcp?access_token=abc").kind).toBe("malformed");
  });

  it.each([
    ["another start of the token", `Bearer b${tail}`, "Bearer", `b${tail}`],
    ["another scheme", `DPoP a${tail}`, "DPoP", `a${tail}`],
    ["a shorter token", `Bearer ${tail}`, "Bearer", tail],
  ])("is not taken for one with the same end: %s", (_name, header, scheme, token) => {
    const known = new KnownCredentials(10);
    accept(`Bearer a${tail}`, known);
    expect(read(header, known)).toMatchObject({ scheme, token });
    accept(header, known);
    expect(read(header, known)).toMatchObject({ scheme, token });
    expect(read(`Bearer a${tail}`, known)).toMatchObject({ scheme: "Bearer", token: `a${tail}` });
  });

  it("does not make another header a token", () => {
    const known = new KnownCredentials(10);
    accept(`Bearer ${tail}`, known);
    expect(read(`Basic ${tail}`, known).kind).toBe("none");
    expect(read(`Bearer a, Bearer ${tail}`, known).kind).toBe("malformed");
  });
});

it("keeps nothing when tokens are not cached", () => {
  const known = new KnownCredentials(0);
  accept("Bearer abc", known);
  expect(known.find("Bearer abc")).toBeUndefined();
});
