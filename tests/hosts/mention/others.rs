//! Gemini, Copilot, pi and Qwen.
