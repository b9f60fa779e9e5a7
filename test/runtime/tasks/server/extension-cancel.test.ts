import { describe, expect, test } from "vitest";
import { MemoryTaskStore } from "../../../../runtime/src/tasks.js";
import { accept, form, gate, started, text } from "./task-servers.js";

describe("tasks/cancel", () => {
  test("aborts the handler of a running task", async () => {
    const running = gate();
    const { passed, open } = gate<unknown>();
    const { client, taskId, errors } = await started(({ signal }) => {
      running.open();
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => {
          open(signal.reason);
          reject(signal.reason as Error);
        }),
      );
    });
    await running.passed;
    const { result } = await client.ask("tasks/cancel", { taskId });
    expect(Object.keys(result ?? {}).sort()).toEqual(["_meta", "resultType"]);
    expect(await client.get(taskId)).toMatchObject({ status: "cancelled" });
    expect(await passed).toMatchObject({ code: "REQUEST_CANCELLED" });
    expect(errors).toEqual([]);
  });

  test("rejects the wait for an answer, and discards what the handler still returns", async () => {
    const { passed, open } = gate<unknown>();
    const { client, taskId } = await started(async (context) => {
      await context.elicit("x", form("X?")).catch(open);
      return text("too late");
    });
    await client.reaches(taskId, "input_required");
    await client.ask("tasks/cancel", { taskId });
    expect(await passed).toMatchObject({ code: "REQUEST_CANCELLED" });
    const task = await client.get(taskId);
    expect(task.status).toBe("cancelled");
    expect(task).not.toHaveProperty("result");
    expect(task).not.toHaveProperty("inputRequests");
  });

  test("acknowledges a task that has ended, and leaves it as it is", async () => {
    const { client, taskId } = await started(() => text("done"));
    const ended = await client.reaches(taskId, "completed");
    expect(await client.ask("tasks/cancel", { taskId })).toHaveProperty("result");
    expect(await client.ask("tasks/cancel", { taskId })).toHaveProperty("result");
    expect(await client.get(taskId)).toEqual(ended);
  });

  test("racing with the end, one of both wins and the outcome never changes again", async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 40; round++) {
      const { passed, open } = gate();
      const { client, taskId, store } = await started(
        async () => {
          await passed;
          return text("done");
        },
        { store: new SlowStore(round % 4) },
      );
      await client.reaches(taskId, "working");
      const cancelled = client.ask("tasks/cancel", { taskId });
      for (let turns = 0; turns < round % 5; turns++) await Promise.resolve();
      open();
      expect(await cancelled).toHaveProperty("result");
      const task = await client.get(taskId);
      expect(["completed", "cancelled"]).toContain(task.status);
      expect("result" in task).toBe(task.status === "completed");
      seen.add(task.status);
      await new Promise((resolve) => setTimeout(resolve, 2));
      expect(await client.get(taskId)).toEqual(task);
      expect((await store.get(taskId, null))?.version).toBe(2);
    }
    expect(seen).toContain("cancelled");
  });

  test("racing with an answer, a cancelled task stays cancelled", async () => {
    const { client, taskId } = await started(async (context) => text((await context.elicit("x", form("X?"))).action));
    await client.reaches(taskId, "input_required");
    const [updated, cancelled] = await Promise.all([
      client.ask("tasks/update", { taskId, inputResponses: { q1: accept("1") } }),
      client.ask("tasks/cancel", { taskId }),
    ]);
    expect(updated).toHaveProperty("result");
    expect(cancelled).toHaveProperty("result");
    const { status } = await client.get(taskId);
    expect(["cancelled", "completed"]).toContain(status);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await client.get(taskId)).status).toBe(status);
  });
});

/** A store whose changes take a few turns. */
class SlowStore extends MemoryTaskStore {
  constructor(readonly turns: number) {
    super();
  }

  override update(record: Parameters<MemoryTaskStore["update"]>[0]): never {
    const later = async (): Promise<boolean> => {
      for (let turn = 0; turn < this.turns; turn++) await Promise.resolve();
      return super.update(record);
    };
    return later() as never;
  }
}
