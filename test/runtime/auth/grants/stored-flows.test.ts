import { describe, expect, test } from "vitest";
import { MemoryCredentialStore } from "../../../../runtime/src/auth/credential-store.js";
import { StoredFlows } from "../../../../runtime/src/auth/grants/stored-flows.js";
import { StoredRecords } from "../../../../runtime/src/auth/session/stored-records.js";
import { exampleFlow } from "./example-flow.js";

const { signal } = new AbortController();

describe("the flows in the store", () => {
  const damaged = [
    "",
    "{",
    "null",
    "[]",
    '{"expiresAt":9e15}',
    JSON.stringify({ ...exampleFlow(), expiresAt: 9e15, verifier: 7 }),
    JSON.stringify({ ...exampleFlow(), expiresAt: 9e15, server: { issuer: "https://x.example" } }),
    JSON.stringify({ ...exampleFlow(), expiresAt: 9e15, registration: {} }),
  ];
  test.each(damaged)("count as unknown when their record is %s, which is reported", async (text) => {
    const store = new MemoryCredentialStore();
    const reported: Error[] = [];
    const records = new StoredRecords(store, (error) => reported.push(error));
    const { state } = exampleFlow();
    store.set(`flow ${state}`, text);
    await expect(new StoredFlows().take(records, state, signal)).rejects.toMatchObject({ reason: "state-mismatch" });
    expect(reported).toHaveLength(1);
  });

  test("survive a damaged list of open flows", async () => {
    const store = new MemoryCredentialStore();
    store.set("flows", "{");
    const records = new StoredRecords(store);
    const flow = exampleFlow();
    await new StoredFlows().add(records, flow, signal);
    expect(await new StoredFlows().take(records, flow.state, signal)).toEqual(JSON.parse(JSON.stringify(flow)));
  });

  test("are all listed when they begin at the same time", async () => {
    const store = new MemoryCredentialStore();
    const records = new StoredRecords(store);
    const flows = new StoredFlows();
    await Promise.all([1, 2, 3].map(() => flows.add(records, exampleFlow(), signal)));
    expect(JSON.parse(store.get("flows") ?? "")).toHaveLength(3);
  });

  test("can be removed without being taken", async () => {
    const store = new MemoryCredentialStore();
    const records = new StoredRecords(store);
    const flows = new StoredFlows();
    const flow = exampleFlow();
    await flows.add(records, flow, signal);
    await flows.remove(records, flow.state, signal);
    expect([store.get(`flow ${flow.state}`), store.get("flows")]).toEqual([undefined, undefined]);
  });

  test("fail with a reason when the store does", async () => {
    const store = {
      get: () => undefined,
      set: () => Promise.reject(new Error("disk full")),
      delete: () => undefined,
    };
    const flow = exampleFlow();
    const error: unknown = await new StoredFlows()
      .add(new StoredRecords(store), flow, signal)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ reason: "store-failed", message: expect.stringContaining("disk full") as string });
    expect(JSON.stringify(error)).not.toContain(flow.verifier);
  });
});
