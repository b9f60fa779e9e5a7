import { describe, expect, it } from "vitest";
import { Sealer } from "../../../runtime/src/auth-proxy/sealer.js";

const first = "first secret with more than 32 characters";
const second = "second secret with more than 32 characters";

function sealerOf(...secrets: string[]): { readonly sealer: Sealer; readonly reports: Error[] } {
  const reports: Error[] = [];
  return { sealer: new Sealer(secrets, (error) => reports.push(error)), reports };
}

describe("Sealer", () => {
  it("opens what it sealed", async () => {
    const { sealer, reports } = sealerOf(first);
    for (const text of ["", "token", "é😀\u0000", "x".repeat(100_000)]) {
      const sealed = await sealer.seal("token", "id", text);
      expect(await sealer.open("token", "id", sealed)).toBe(text);
      if (text.length > 3) expect(sealed).not.toContain(text);
    }
    expect(reports).toEqual([]);
  });

  it("seals a text differently each time", async () => {
    const { sealer } = sealerOf(first);
    expect(await sealer.seal("token", "id", "a")).not.toBe(await sealer.seal("token", "id", "a"));
  });

  it("opens with all secrets, and seals with the first", async () => {
    const old = await sealerOf(first).sealer.seal("token", "id", "a");
    const { sealer: both } = sealerOf(second, first);
    expect(await both.open("token", "id", old)).toBe("a");
    const { sealer: rotated, reports } = sealerOf(second);
    expect(await rotated.open("token", "id", await both.seal("token", "id", "b"))).toBe("b");
    expect(reports).toEqual([]);
    expect(await rotated.open("token", "id", old)).toBeUndefined();
    expect(reports.map(({ message }) => message)).toEqual([
      "a stored value of the kind token cannot be opened: it was changed, or sealed with a secret that is not among `secrets`",
    ]);
  });

  it("does not open a value in another row", async () => {
    const { sealer, reports } = sealerOf(first);
    const sealed = await sealer.seal("token", "ab", "x");
    expect(await sealer.open("token", "ac", sealed)).toBeUndefined();
    expect(await sealer.open("grant", "ab", sealed)).toBeUndefined();
    expect(await sealer.open("toke", "n ab", sealed)).toBeUndefined();
    expect(reports).toHaveLength(3);
  });

  it("does not open a changed value", async () => {
    const { sealer, reports } = sealerOf(first);
    const sealed = await sealer.seal("token", "id", "text");
    const changed = [
      "",
      ".",
      "1.",
      "1.AAAA",
      "no dots",
      `2.${sealed.slice(2)}`,
      sealed.slice(0, -4),
      `${sealed}AAAA`,
      ...[2, 10, 20, sealed.length - 2].map(
        (at) => `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`,
      ),
    ];
    for (const value of changed) expect(await sealer.open("token", "id", value)).toBeUndefined();
    expect(reports).toHaveLength(changed.length);
    for (const { message } of reports) expect(message).not.toContain(sealed.slice(2, 12));
  });

  it.each([[[]], [["short"]], [[first, "short"]], [undefined], [[undefined]], [first]])(
    "rejects the secrets %j",
    (secrets) => {
      expect(() => new Sealer(secrets as unknown as string[])).toThrow(/secrets/);
    },
  );

  it("names no secret in its errors", () => {
    let message = "";
    try {
      new Sealer(["hunter2"]);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain("secrets[0]");
    expect(message).not.toContain("hunter2");
  });
});
