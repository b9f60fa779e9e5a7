import { ELICITATION_CREATE, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import type { Answer, SimulatedClient } from "./client.js";
import type { Message } from "./messages.js";
import type { Session } from "./session.js";

/** How often a client tries again to send an answer. */
const maxTries = 40;

type Post = (message: Message, onAnswer: (answer?: Answer) => void) => void;

/** Whether a message is a question of the server. */
export function isQuestion({ method }: Message): boolean {
  return method === ELICITATION_CREATE || method === SAMPLING_CREATE_MESSAGE;
}

/** Answers a question of the server, sometimes twice, and sometimes not at all. @param post sends a message to any node */
export function answerQuestion(client: SimulatedClient, session: Session, message: Message, post: Post): void {
  const { id = "", method } = message;
  const { simulation, name } = client;
  session.onQuestion(id);
  const { token, step } = subjectOf(message);
  const call = [...session.calls.values()].find((one) => one.token === token);
  if (!call) return simulation.violate(`${name} is asked for ${token}, which is not its own`);
  if (call.isOver) return;
  const { random } = simulation;
  if (random.chance(0.05)) return void call.excuses.add("its question was not answered");
  const answers = Array.from({ length: random.chance(0.1) ? 2 : 1 }, (_, at) => `${token}/${step}/${at}`);
  call.answers.set(step, answers);
  const send = (result: NonNullable<Message["result"]>, tries: number): void =>
    post({ jsonrpc: "2.0", id, result }, (received) => {
      const isTaken = received !== undefined && received.status !== 503;
      if (!isTaken && !session.isGone && tries < maxTries) client.later(300, () => send(result, tries + 1));
    });
  for (const answer of answers) client.later(1_000, () => send(toResult(method, answer), 0));
}

function toResult(method: string | undefined, answer: string): NonNullable<Message["result"]> {
  return method === SAMPLING_CREATE_MESSAGE
    ? { role: "assistant", model: "m", content: { type: "text", text: answer } }
    : { action: "accept", content: { answer } };
}

/** What a question is about: a form, or a message to a model. */
function subjectOf({ params }: Message): { readonly token: string; readonly step: number } {
  const [sampled] = (params?.["messages"] ?? []) as readonly { readonly content: { readonly text: string } }[];
  return JSON.parse(sampled?.content.text ?? String(params?.["message"])) as { token: string; step: number };
}
