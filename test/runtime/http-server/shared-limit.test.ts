import { describe, expect, it } from "vitest";
import { SharedLimit } from "../../../runtime/src/http-server/shared-limit.js";

describe("a SharedLimit", () => {
  it("bounds all clients together, and each client's share", () => {
    const limit = new SharedLimit(4, 0.5);
    limit.add("a", 2);
    expect([limit.hasRoom("a"), limit.hasRoom("b"), limit.hasRoom(undefined)]).toEqual([false, true, true]);
    limit.add("b", 2);
    expect([limit.hasRoom("c"), limit.exceedsShare("c")]).toEqual([false, false]);
    limit.add("a", -2);
    expect([limit.hasRoom("a", 2), limit.hasRoom("a", 3), limit.total]).toEqual([true, false, 2]);
  });

  it("never owes a client anything", () => {
    const limit = new SharedLimit(4, 0.5);
    limit.add("a", -1);
    expect(limit.exceedsShare("a", 2)).toBe(false);
    expect(limit.exceedsShare("a", 3)).toBe(true);
  });

  it("forgets clients that have left, and no other", () => {
    const limit = new SharedLimit(100_000, 0.00002);
    for (let client = 0; client < 50; client++) limit.add(`stays ${client}`, 2);
    for (let client = 0; client < 10_000; client++) {
      limit.add(`leaves ${client}`);
      limit.add(`leaves ${client}`, -1);
    }
    expect(limit.clients.size).toBeLessThan(1_200);
    for (let client = 0; client < 50; client++) expect(limit.hasRoom(`stays ${client}`)).toBe(false);
    expect([limit.hasRoom("leaves 1", 2), limit.total]).toEqual([true, 100]);
  });
});
