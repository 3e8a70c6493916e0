// skillpick in pi: skillpick init pi > ~/.pi/agent/extensions/skillpick.ts (make the folder first)
// The text of the skills that a prompt calls goes with the prompt, and /skillpick opens compose.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function (pi) {
  let context = "";
  pi.on("input", (event, ctx) => {
    context = "";
    const input = JSON.stringify({ prompt: event.text });
    const words = ["resolve", "--hook", "--host", "pi"];
    const ran = spawnSync("skillpick", words, { cwd: ctx.cwd, input, encoding: "utf8" });
    if (ran.status === 0 && ran.stdout) context = JSON.parse(ran.stdout).additionalContext;
    if (ran.status !== 0 && ctx.hasUI) ctx.ui.notify(ran.stderr ?? String(ran.error), "warning");
  });
  pi.on("before_agent_start", () => {
    if (context) return { message: { customType: "skillpick", content: context, display: false } };
  });
  pi.registerCommand("skillpick", {
    description: "Write the prompt in skillpick compose",
    handler: async (args, ctx) => {
      const folder = mkdtempSync(join(tmpdir(), "skillpick-"));
      const file = join(folder, "prompt.md");
      writeFileSync(file, args);
      const words = ["compose", "--for", "pi", "--edit", file];
      await ctx.ui.custom((tui, theme, keys, done) => {
        tui.stop();
        spawnSync("skillpick", words, { cwd: ctx.cwd, stdio: "inherit" });
        tui.start();
        tui.requestRender(true);
        done();
        return { render: () => [], invalidate: () => {} };
      });
      ctx.ui.setEditorText(readFileSync(file, "utf8"));
      rmSync(folder, { recursive: true });
    },
  });
}
