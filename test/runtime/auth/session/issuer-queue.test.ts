import { describe, expect, test } from "vitest";
import { IssuerQueue } from "../../../../runtime/src/auth/session/issuer-queue.js";
import { deferred } from "../../../../runtime/src/timing/deferred.js";

const { signal } = new AbortController();

describe("the queue of an issuer", () => {
  test("runs one at a time, in order, also after an error", async () => {
    const queue = new IssuerQueue();
    const story: string[] = [];
    const gate = deferred();
    const first = queue.run("a", signal, async () => {
      story.push("first");
      await gate.promise;
      throw new Error("of the first");
    });
    const second = queue.run("a", signal, () => Promise.resolve(story.push("second")));
    const other = queue.run("b", signal, () => Promise.resolve(story.push("other")));
    await other;
    expect(story).toEqual(["first", "other"]);
    gate.resolve();
    await expect(first).rejects.toThrow("of the first");
    await second;
    expect(story).toEqual(["first", "other", "second"]);
    await new Promise((resolve) => setTimeout(resolve));
    expect(queue.size).toBe(0);
  });

  test("keeps the order when one that waits is aborted", async () => {
    const queue = new IssuerQueue();
    const gate = deferred();
    const story: string[] = [];
    const first = queue.run("a", signal, () => gate.promise);
    const controller = new AbortController();
    const second = queue.run("a", controller.signal, () => Promise.resolve(story.push("second")));
    const third = queue.run("a", signal, () => Promise.resolve(story.push("third")));
    controller.abort(new Error("stopped"));
    await expect(second).rejects.toThrow("stopped");
    expect(story).toEqual([]);
    gate.resolve();
    await Promise.all([first, third]);
    expect(story).toEqual(["third"]);
  });
});
