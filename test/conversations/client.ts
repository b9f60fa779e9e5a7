import { onTestFinished } from "vitest";
import { Client, type ClientOptions } from "../../runtime/src/client.js";
import { Recorder } from "../../runtime/src/testing.js";

/** Our client, with a recorder of the messages that it sends and receives. */
export function recordedClient({
  name = "client",
  ...options
}: ClientOptions & { readonly name?: string; readonly revisions?: never } = {}) {
  const recorder = new Recorder();
  const errors: Error[] = [];
  const client = new Client(
    { name, version: "1" },
    { trace: recorder.trace, onerror: (error) => void errors.push(error), ...options },
  );
  onTestFinished(() => client.close());
  return { client, recorder, errors };
}
