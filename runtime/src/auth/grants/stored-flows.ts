import type { StoredRecords } from "../session/stored-records.js";
import { stateMismatch } from "./authorization-callback.js";
import type { AuthorizationFlow } from "./authorization-flow.js";
import { flowRecord, openFlowsRecord } from "./flow-records.js";
import type { OpenFlow } from "./flow-records.js";

/** States that calls of `take` are reading now, for stores without locks. States of different stores never coincide. */
const taking = new Set<string>();

/** The flows in progress, in the credential store: each can be taken once, by any process. */
export class StoredFlows {
  /** The last change of the list of open flows. */
  #listed: Promise<void> = Promise.resolve();

  /** Stores a flow, and deletes those that have expired. @throws AuthorizationError `store-failed` */
  async add(records: StoredRecords, flow: AuthorizationFlow, signal: AbortSignal): Promise<void> {
    const { state, expiresAt } = flow;
    await records.write(flowRecord, [state], flow);
    await this.#changeList(records, (open) => [...open, { state, expiresAt }], signal);
  }

  /**
   * Returns a flow, and ends it: a second call with the same state fails.
   * @throws AuthorizationError `state-mismatch`, `store-failed`
   */
  async take(records: StoredRecords, state: string, signal: AbortSignal): Promise<AuthorizationFlow> {
    return records.locked(flowRecord, [state], () => takeAlone(records, state), signal);
  }

  /** Deletes a flow that will not be finished. @throws AuthorizationError `store-failed` */
  async remove(records: StoredRecords, state: string, signal: AbortSignal): Promise<void> {
    await records.delete(flowRecord, state);
    await this.#changeList(records, (open) => open.filter((flow) => flow.state !== state), signal);
  }

  async #changeList(
    records: StoredRecords,
    change: (open: readonly OpenFlow[]) => readonly OpenFlow[],
    signal: AbortSignal,
  ): Promise<void> {
    const work = async (): Promise<void> => {
      const open = (await records.read(openFlowsRecord)) ?? [];
      const now = Date.now();
      for (const { state, expiresAt } of open) if (expiresAt <= now) await records.delete(flowRecord, state);
      const left = change(open).filter(({ expiresAt }) => expiresAt > now);
      if (left.length > 0) await records.write(openFlowsRecord, [], left);
      else await records.delete(openFlowsRecord);
    };
    const changed = this.#listed.then(() => records.locked(openFlowsRecord, [], work, signal));
    this.#listed = changed.catch(() => undefined);
    await changed;
  }
}

async function takeAlone(records: StoredRecords, state: string): Promise<AuthorizationFlow> {
  if (taking.has(state)) throw stateMismatch("its log-in is being finished already");
  taking.add(state);
  try {
    const record = await records.read(flowRecord, state);
    if (!record) throw stateMismatch("no log-in with its state was started here, or it has expired");
    const { expiresAt } = record;
    if (expiresAt <= Date.now()) {
      await records.delete(flowRecord, state);
      throw stateMismatch("its log-in has expired");
    }
    if ("isFinished" in record) throw stateMismatch("its log-in was finished before");
    await records.write(flowRecord, [state], { isFinished: true, expiresAt });
    return record;
  } finally {
    taking.delete(state);
  }
}
