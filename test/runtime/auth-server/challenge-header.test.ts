import { describe, expect, it } from "vitest";
import { parseChallenges } from "../../../runtime/src/auth/discovery/challenge.js";
import { descriptionText, formatChallenge } from "../../../runtime/src/auth-server/challenge-header.js";

describe("a challenge", () => {
  const rows: readonly (readonly [Parameters<typeof formatChallenge>[1], string])[] = [
    [{}, "Bearer"],
    [{ scope: "", error: undefined }, "Bearer"],
    [{ scope: "a b" }, 'Bearer scope="a b"'],
    [
      { error: "invalid_token", error_description: 'say "no" \\' },
      'Bearer error="invalid_token", error_description="say \\"no\\" \\\\"',
    ],
    [{ error_description: "a\r\nset-cookie: b\0ü\u2028" }, 'Bearer error_description="a??set-cookie: b???"'],
    [{ resource_metadata: "https://x.example/a,b;c" }, 'Bearer resource_metadata="https://x.example/a,b;c"'],
  ];
  it.each(rows)("of %j", (parameters, expected) => {
    expect(formatChallenge("Bearer", parameters)).toBe(expected);
  });

  it("survives a parser with all printable characters", () => {
    const printable = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)).join("");
    const both = `${formatChallenge("Bearer", { error: printable })}, ${formatChallenge("DPoP", { algs: printable })}`;
    expect(parseChallenges(both)).toEqual([
      { scheme: "Bearer", parameters: { error: printable } },
      { scheme: "DPoP", parameters: { algs: printable } },
    ]);
  });

  it("has only the characters of RFC 6750 in a description", () => {
    const all = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)).join("");
    expect(descriptionText(all)).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/);
  });
});
