import { type CallExpression, Node } from "ts-morph";
import { type Edit, referencesIn, removedItem, removedStatement, replaced } from "../file-rewriter.js";
import type { Rule } from "./rule.js";

/** Removes codecs of `requestState`: the runtime encrypts it. */
export const requestStates: Rule = {
  id: "request-states",
  summary: "`createRequestStateCodec` goes: `requestState` is passed as it is, and the runtime encrypts it.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isCallExpression(node) || rewriter.officialName(node.getExpression()) !== "createRequestStateCodec")
        return;
      const edits = editsOf(node);
      if (edits) rewriter.change(...edits);
      else
        rewriter.todo(
          node,
          "remove the codec: requestState is always encrypted; stateKeys and stateTtlMs are options of McpServer",
          "names-servers-and-both-sides",
        );
    });
  },
};

/** Undefined if the codec is used in another way than by `mint` and the option `requestState`. */
function editsOf(creation: CallExpression): readonly Edit[] | undefined {
  const declaration = creation.getParent();
  const name = Node.isVariableDeclaration(declaration) ? declaration.getNameNode() : undefined;
  const statement = Node.isVariableDeclaration(declaration) ? declaration.getVariableStatement() : undefined;
  if (!Node.isIdentifier(name) || !statement || statement.getDeclarations().length > 1 || statement.isExported())
    return undefined;
  const edits: Edit[] = [removedStatement(statement)];
  for (const reference of referencesIn(creation.getSourceFile(), name)) {
    const access = reference.getParent();
    if (!Node.isPropertyAccessExpression(access)) return undefined;
    const edit =
      access.getName() === "mint" ? ofMint(access) : access.getName() === "verify" ? ofVerify(access) : undefined;
    if (!edit) return undefined;
    edits.push(edit);
  }
  return edits;
}

/** `await codec.mint(state, context)` is the state. */
function ofMint(access: Node): Edit | undefined {
  const call = access.getParent();
  const [state] = Node.isCallExpression(call) ? call.getArguments() : [];
  const awaited = call?.getParent();
  return call && state && Node.isAwaitExpression(awaited) ? replaced(awaited, state.getText()) : undefined;
}

/** The option `requestState: { verify: codec.verify }`. */
function ofVerify(access: Node): Edit | undefined {
  const member = access.getParent();
  const value = Node.isPropertyAssignment(member) ? member.getParent() : undefined;
  const option =
    Node.isObjectLiteralExpression(value) && value.getProperties().length === 1 ? value.getParent() : undefined;
  const options = option?.getParent();
  if (
    !Node.isPropertyAssignment(option) ||
    option.getName() !== "requestState" ||
    !Node.isObjectLiteralExpression(options)
  )
    return undefined;
  return removedItem(option, options.getProperties());
}
