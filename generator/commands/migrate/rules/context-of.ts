import { Node } from "ts-morph";
import type { FileRewriter } from "../file-rewriter.js";

/** The name of the context in the callback around a node; undefined outside of one, or if it takes the context apart. */
export function contextAround(rewriter: FileRewriter, node: Node): string | undefined {
  for (const around of node.getAncestors()) {
    if (
      !Node.isArrowFunction(around) &&
      !Node.isFunctionExpression(around) &&
      !Node.isFunctionDeclaration(around) &&
      !Node.isMethodDeclaration(around)
    )
      continue;
    for (const parameter of around.getParameters())
      if (rewriter.officialType(parameter) === "HandlerContext" && Node.isIdentifier(parameter.getNameNode()))
        return parameter.getName();
  }
  return undefined;
}

/** A key for a question to the user that no other one in the same callback has; undefined in a loop, where it would repeat. */
export function questionKey(node: Node, kind: string): string | undefined {
  let callback: Node = node.getSourceFile();
  for (const around of node.getAncestors()) {
    if (Node.isIterationStatement(around)) return undefined;
    if (Node.isArrowFunction(around) || Node.isFunctionExpression(around) || Node.isFunctionDeclaration(around)) {
      callback = around;
      break;
    }
  }
  const earlier = callback
    .getDescendants()
    .filter(
      (one) => one.getStart() < node.getStart() && Node.isPropertyAccessExpression(one) && questions.has(one.getName()),
    );
  return earlier.length === 0 ? kind : `${kind}-${earlier.length + 1}`;
}

const questions: ReadonlySet<string> = new Set([
  "elicitInput",
  "requestSampling",
  "createMessage",
  "listRoots",
  "sendRequest",
  "send",
  "elicit",
  "sample",
]);
