import { ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import type { Client, ServerRequestMap } from "@mcpwright/runtime/client";
import { ErrorCode, ProtocolError } from "@mcpwright/runtime/errors";
import { askForm, fieldsOf } from "./ask-form.js";
import type { AskUser } from "./terminal.js";
import { escapeControls, escapeLine } from "../command/escape-controls.js";

export interface ServerRequestOptions {
  /** Shows what the server asks, and what it is answered. */
  readonly tell: (line: string) => void;
  /** The fields of each form that the server asks to fill in. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** Without it, and without an answer, forms are declined. */
  readonly ask?: AskUser;
}

type Elicit = ServerRequestMap[typeof ELICITATION_CREATE];

/** Answers what servers ask their clients, as far as a command line can. */
export function answerServerRequests(client: Client, options: ServerRequestOptions): void {
  const { tell } = options;
  // Several questions may come at once; a terminal has one line.
  let last: Promise<unknown> = Promise.resolve();
  client.setRequestHandler(ELICITATION_CREATE, (params) => {
    const next = last.then(() => elicit(params, options));
    last = next.catch(() => undefined);
    return next;
  });
  client.setRequestHandler(SAMPLING_CREATE_MESSAGE, () => {
    tell("the server wants a model to write something: declined, there is no model here");
    throw new ProtocolError(ErrorCode.UserRejected, "mcpwright has no model to sample from");
  });
  client.setRequestHandler(ROOTS_LIST, () => {
    tell("the server asks for folders to work in: none were given");
    return { roots: [] };
  });
}

async function elicit(params: Elicit["params"], options: ServerRequestOptions): Promise<Elicit["result"]> {
  const { tell, answer, ask } = options;
  tell(`the server asks: ${escapeControls(params.message)}`);
  if (params.mode === "url") {
    tell(`it wants you to visit ${escapeLine(params.url, 2_000)}`);
    if (answer) return accepted(undefined, tell);
    if (!ask) return declined(tell);
    const typed = await ask("Have you been there? yes, no or cancel [no]: ");
    if (typed !== undefined && /^y(es)?$/i.test(typed.trim())) return { action: "accept" };
    return { action: typed === undefined || /^c(ancel)?$/i.test(typed.trim()) ? "cancel" : "decline" };
  }
  if (answer) {
    const fields = Object.keys(fieldsOf(params.requestedSchema));
    const content = Object.fromEntries(Object.entries(answer).filter(([name]) => fields.includes(name)));
    return accepted(content, tell);
  }
  return ask ? askForm(params.requestedSchema, ask, tell) : declined(tell);
}

function accepted(content: object | undefined, tell: (line: string) => void): Elicit["result"] {
  tell(`answered: ${content === undefined ? "accepted" : escapeLine(JSON.stringify(content))}`);
  return { action: "accept", ...(content && { content: content as Record<string, string> }) };
}

function declined(tell: (line: string) => void): Elicit["result"] {
  tell("declined: nobody is at a terminal; --answer '{\"field\": value}' answers it");
  return { action: "decline" };
}
