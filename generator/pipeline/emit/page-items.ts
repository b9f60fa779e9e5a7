import type { ProtocolModel, RequestModel, TypeModel } from "../../shared/model/protocol.js";

/** The type of the items of a page; undefined for requests whose result is not a page. */
export function pageItems({ result, pages }: RequestModel, { definitions }: ProtocolModel): TypeModel | undefined {
  const page = definitions.find(({ name }) => name === result.type);
  const list = page?.kind === "struct" ? page.members.find(({ name }) => name === pages)?.type : undefined;
  return list?.kind === "array" ? list.items : undefined;
}
