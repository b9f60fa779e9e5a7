import { toError } from "../jsonrpc/error-conversion.js";
import { isObject } from "../jsonrpc/guards.js";
import type { Transport } from "../transport/transport.js";
import { unordered } from "./pattern.js";
import { printMessage } from "./recorder.js";
import { ScriptedPeer, type ScriptedPeerOptions } from "./scripted-peer.js";

/**
 * One step. `->` is a message from client to server, `<-` one from server to client; the scripted side sends the one, and
 * expects the other. `jsonrpc` may be left out. An array is a batch.
 */
export type Step =
  | { readonly "->": unknown }
  | { readonly "<-": unknown }
  /** These messages arrive next, in any order. */
  | { readonly unordered: readonly unknown[] }
  /** No message arrives for this many milliseconds. */
  | { readonly silence: number }
  /** Calls a function and awaits it. */
  | { readonly do: (peer: ScriptedPeer) => unknown };

/** A script of the messages that one side sends and expects. */
export interface Conversation {
  readonly name: string;
  /** The revisions in which the conversation is valid; for the test that runs it. */
  readonly revisions?: readonly string[];
  readonly steps: readonly Step[];
}

/**
 * Runs a conversation over a transport that is not started, and closes the transport at the end.
 *
 * ```ts
 * const [near, far] = InMemoryTransport.createLinkedPair();
 * await server.connect(far);
 * await runConversation({ name: "ping", steps: [{ "->": { id: 1, method: "ping" } }, { "<-": { id: 1, result: {} } }] }, near);
 * ```
 * @returns the peer that played the script, with its recorded messages and captured values
 * @throws Error with the step, the expected and the received message, and all previous messages
 */
export async function runConversation(
  { name, steps }: Conversation,
  transport: Transport,
  options: ScriptedPeerOptions = {},
): Promise<ScriptedPeer> {
  const peer = new ScriptedPeer(transport, options);
  await peer.start();
  try {
    for (const [index, step] of steps.entries()) {
      try {
        await take(step, peer);
      } catch (error) {
        const where = `"${name}", step ${index + 1} of ${steps.length}: ${shown(step)}`;
        throw new Error(`${where}\n${toError(error).message}`, "do" in step ? { cause: error } : {});
      }
    }
    return peer;
  } finally {
    await peer.close();
  }
}

async function take(step: Step, peer: ScriptedPeer): Promise<void> {
  if ("silence" in step) return peer.silence(step.silence);
  if ("do" in step) {
    await step.do(peer);
    return;
  }
  if ("unordered" in step) {
    const messages: unknown[] = [];
    for (const _ of step.unordered) messages.push(await peer.receive());
    peer.check(unordered(...step.unordered.map(complete)), messages);
    return;
  }
  const message = complete("->" in step ? step["->"] : step["<-"]);
  const sends = peer.recorder.arrow("out") in step;
  await (sends ? peer.send(message) : peer.expect(message));
}

function complete(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(complete);
  return isObject(message) && !("toJSON" in message) ? { jsonrpc: "2.0", ...message } : message;
}

function shown(step: Step): string {
  if ("->" in step) return `-> ${printMessage(step["->"])}`;
  if ("<-" in step) return `<- ${printMessage(step["<-"])}`;
  return "do" in step ? "do" : printMessage(step);
}
