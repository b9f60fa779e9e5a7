import { Child } from "../soak/children.js";
import { revisions } from "../soak/soak-client.js";
import { waitUntil } from "../soak/wait.js";
import type { ChaosLog } from "./chaos-log.js";
import type { ClientPlan, FromWorker, ToWorker } from "./messages.js";
import { principals } from "./model.js";

const workerCount = 2;
/** Longer than a call takes. */
const patienceMs = 100_000;

interface Worker {
  readonly child: Child<FromWorker, ToWorker>;
  isIdle: boolean;
}

/** The processes with the clients. */
export class Workers {
  private constructor(
    readonly workers: readonly Worker[],
    readonly log: ChaosLog,
  ) {}

  /** Starts clients of all revisions, each with one of the principals. */
  static start(
    program: string,
    count: number,
    url: string,
    seed: string,
    pauseMs: readonly [number, number],
    log: ChaosLog,
  ): Workers {
    const workers = Array.from({ length: workerCount }, (_, at): Worker => {
      const clients: ClientPlan[] = [];
      for (let number = at; number < count; number += workerCount) {
        const kind = Math.floor(number / workerCount);
        const revision = revisions[kind % revisions.length] ?? "";
        const principal = principals[Math.floor(kind / revisions.length) % principals.length] ?? "";
        clients.push({ name: `c${number}`, revision, principal });
      }
      const onMessage = (message: FromWorker): void => {
        if (message.type === "tally") log.add(message.tally);
        else if (message.type === "failure") log.failures.push(message.failure);
        else if (message.type === "violation") log.observed.push(message.violation);
        else worker.isIdle = true;
      };
      const child = new Child<FromWorker, ToWorker>(
        `worker ${at}`,
        [process.execPath, program],
        onMessage,
        (how) => void log.problems.push(how),
      );
      const worker: Worker = { child, isIdle: false };
      child.send({ type: "begin", plan: { seed, url, clients, pauseMs } });
      return worker;
    });
    return new Workers(workers, log);
  }

  /** Stops the clients until `resume`, once each has received everything that it must. */
  async pause(): Promise<void> {
    for (const worker of this.workers) {
      worker.isIdle = false;
      worker.child.send({ type: "pause" });
    }
    if (!(await waitUntil(() => this.workers.every(({ isIdle }) => isIdle), patienceMs)))
      this.log.problems.push("the clients did not become idle");
  }

  resume(): void {
    for (const { child } of this.workers) child.send({ type: "resume" });
  }

  async finish(): Promise<void> {
    for (const { child } of this.workers) {
      child.letGo();
      child.send({ type: "finish" });
    }
    for (const { child } of this.workers) {
      const problem = await child.end();
      if (problem) this.log.problems.push(problem);
    }
  }

  async kill(): Promise<void> {
    for (const { child } of this.workers) await child.kill();
  }
}
