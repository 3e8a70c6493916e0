// skillpick in opencode (make the folder first):
// skillpick init opencode > ~/.config/opencode/plugin/skillpick.js
// The text of the skills that a prompt calls goes with the prompt.
import { spawnSync } from "node:child_process";

export const Skillpick = async ({ directory }) => ({
  "chat.message": async (input, { message, parts }) => {
    const written = parts.filter((part) => part.type === "text" && !part.synthetic);
    const prompt = written.map((part) => part.text).join("\n");
    const words = ["resolve", "--hook", "--host", "opencode"];
    const options = { cwd: directory, input: JSON.stringify({ prompt }), encoding: "utf8" };
    const ran = spawnSync("skillpick", words, options);
    if (ran.status !== 0 || !ran.stdout) return;
    const text = JSON.parse(ran.stdout).additionalContext;
    const id = "prt_skillpick" + Date.now() + Math.random().toString(36).slice(2);
    const ids = { id, messageID: message.id, sessionID: message.sessionID };
    parts.push({ ...ids, type: "text", synthetic: true, text });
  },
});
