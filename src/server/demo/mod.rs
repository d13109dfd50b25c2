//! The stand-in Ollama: a small Ollama-compatible server inside the binary.
