import type { NotificationModel, ProtocolModel, RequestModel } from "../../shared/model/protocol.js";
import { docComment, type Code } from "../../shared/code/code.js";
import { deprecationTags } from "./type-printer.js";

type Message = RequestModel | NotificationModel;

/**
 * The doc comment of a message: its description or another `text`, the capability that it needs, and a link to the
 * specification.
 */
export function messageDoc(message: Message, model: ProtocolModel, text = textOf(message, model)): Code {
  const { link, deprecated, capability } = message;
  const needed = capability === null ? [] : [`remarks Needs the capability \`${capability}\`.`];
  return docComment({
    text,
    tags: [...needed, ...(link === undefined ? [] : [`see ${link}`]), ...deprecationTags(deprecated)],
  });
}

function textOf({ type }: Message, { definitions }: ProtocolModel): string | undefined {
  return definitions.find(({ name }) => name === type)?.text;
}
