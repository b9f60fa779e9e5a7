import { onTestFinished } from "vitest";
import { Client, type ClientOptions } from "../../runtime/src/client.js";
import { Recorder } from "../../runtime/src/testing.js";

/** Our client, and what passes at its end of the wire. */
export function recordedClient(options: ClientOptions & { revisions?: never } = {}) {
  const recorder = new Recorder();
  const errors: Error[] = [];
  const client = new Client(
    { name: "client", version: "1" },
    { trace: recorder.trace, onerror: (error) => void errors.push(error), ...options },
  );
  onTestFinished(() => client.close());
  return { client, recorder, errors };
}
