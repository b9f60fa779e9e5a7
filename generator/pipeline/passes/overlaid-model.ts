import type { LayeredExtension } from "../../shared/model/extension.js";
import type { ProtocolModel, RequestModel } from "../../shared/model/protocol.js";

/** A revision with everything that an extension adds to it, as one model. Its id is that of the extension. */
export function overlaidModel(base: ProtocolModel, { model }: Pick<LayeredExtension, "model">): ProtocolModel {
  const { definitions, requests, notifications, results, metaKeys, constants } = model;
  const withResults = (request: RequestModel): RequestModel => {
    const added = results.filter(({ method }) => method === request.method);
    if (added.length === 0 || request.sender !== "client" || request.result.kind === "presence") return request;
    const known = request.result.kind === "tagged" ? request.result.alternatives : [];
    const alternatives = [...known, ...added.map(({ tag }) => tag)];
    return { ...request, result: { kind: "tagged", type: request.result.type, alternatives } };
  };
  // The messages of an extension with roles of its own are not those between client and server.
  const known = model.roles
    ? { requests: [], notifications: [], inputRequests: [] }
    : {
        requests: base.requests.map(withResults),
        notifications: base.notifications,
        inputRequests: base.inputRequests,
      };
  return {
    ...base,
    revision: model.extension,
    specification: model.specification,
    constants: [...base.constants, ...constants],
    definitions: [...base.definitions, ...definitions],
    requests: [...known.requests, ...requests],
    notifications: [...known.notifications, ...notifications],
    inputRequests: known.inputRequests,
    ...(base.resultTag && {
      resultTag: {
        ...base.resultTag,
        alternatives: [
          ...base.resultTag.alternatives,
          ...results.map(({ tag: value, type, atLeastOneOf }) => ({ value, type, atLeastOneOf })),
        ],
      },
    }),
    metaKeys: [...new Set([...base.metaKeys, ...metaKeys])],
  };
}

/** The names of the types and methods that an extension adds. */
export function ownNames({ model }: Pick<LayeredExtension, "model">): ReadonlySet<string> {
  const { definitions, requests, notifications } = model;
  return new Set([
    ...definitions.map(({ name }) => name),
    ...[...requests, ...notifications].map(({ method }) => method),
  ]);
}
