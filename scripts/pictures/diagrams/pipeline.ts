import { t, type FlowSource } from "./diagram.js";

/** ARCHITECTURE.md, "The pipeline". */
export const pipeline: FlowSource = {
  kind: "flow",
  name: "pipeline",
  alt: t(
    "The schema and the overlay become a model, and the model becomes code",
    "schema 和 overlay 变成模型，模型变成代码",
  ),
  description: t(
    "READ extracts the declarations of schema.ts or schema.json. OVERLAY adds the facts that only the prose of the specification states. PASSES turn both into the ProtocolModel. From the model, EMIT builds fragments of code, RENDER fills templates with them, FORMAT runs prettier, and WRITE replaces the files of a folder, all or none. CONVERT also derives conversions between neighbouring revisions, and DIFF reports what changed between two models.",
    "READ 从 schema.ts 或 schema.json 提取声明。OVERLAY 补充只写在规范正文中的事实。PASSES 把两者变成 ProtocolModel。EMIT 由模型生成代码片段，RENDER 把片段填入模板，FORMAT 用 prettier 排版，WRITE 替换文件夹中的文件，要么全部成功，要么什么都不写。另外，CONVERT 推导相邻协议版本之间的转换，DIFF 报告两个模型之间的变化。",
  ),
  rows: [
    {
      columns: [
        {
          boxes: [
            {
              title: t("Schema", "Schema"),
              text: t("`schema.ts` or `schema.json`", "`schema.ts` 或 `schema.json`"),
              colour: "blue",
              isData: true,
            },
          ],
        },
        {
          boxes: [
            {
              title: t("Overlay", "Overlay"),
              text: t("facts of the prose, as data", "规范正文中的事实，以数据表示"),
              colour: "blue",
              isData: true,
            },
          ],
        },
      ],
    },
    {
      columns: [
        {
          boxes: [{ title: t("READ", "READ"), text: t("extracts the declarations", "提取声明"), colour: "violet" }],
        },
        {
          boxes: [
            {
              title: t("OVERLAY", "OVERLAY"),
              text: t("merges the chain of files", "合并各层 overlay 文件"),
              colour: "violet",
            },
          ],
        },
      ],
    },
    {
      columns: [
        {
          boxes: [
            {
              title: t("PASSES", "PASSES"),
              text: t(
                "resolve names and roles, flatten types, choose how to distinguish the alternatives of unions, link each request to its result",
                "解析名称与角色，展开类型，决定如何区分联合类型的各个分支，把每个请求与结果关联起来",
              ),
              colour: "violet",
            },
            {
              title: t("`ProtocolModel`", "`ProtocolModel`"),
              text: t("everything about one revision: `model.json`", "一个协议版本的全部信息：`model.json`"),
              colour: "blue",
              isData: true,
            },
          ],
        },
      ],
    },
    {
      columns: [
        {
          title: t("one model", "一个模型"),
          boxes: [
            {
              title: t("EMIT", "EMIT"),
              text: t("builds checked fragments of code", "生成经过检查的代码片段"),
              colour: "violet",
            },
            { title: t("RENDER", "RENDER"), text: t("fills the templates", "填入模板"), colour: "violet" },
            { title: t("FORMAT", "FORMAT"), text: t("runs prettier", "用 prettier 排版"), colour: "violet" },
            { title: t("WRITE", "WRITE"), text: t("all files or none", "要么全部写入，要么都不写"), colour: "violet" },
            {
              title: t("Code", "代码"),
              text: t("types, validators, dispatch tables, stubs", "类型、校验器、分发表、桩代码"),
              colour: "green",
              isData: true,
            },
          ],
        },
        {
          title: t("two models", "两个模型"),
          boxes: [
            {
              title: t("CONVERT", "CONVERT"),
              text: t(
                "derives the conversions between neighbouring revisions, for EMIT",
                "推导相邻协议版本之间的转换，交给 EMIT",
              ),
              colour: "violet",
            },
            {
              title: t("DIFF", "DIFF"),
              text: t("finds what changed, by rules", "按规则找出变化"),
              colour: "violet",
              isApart: true,
            },
            {
              title: t("Report", "报告"),
              text: t("text, Markdown, JSON or HTML", "文本、Markdown、JSON 或 HTML"),
              colour: "green",
              isData: true,
            },
          ],
        },
      ],
    },
  ],
};
