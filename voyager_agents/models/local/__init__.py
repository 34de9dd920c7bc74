"""Language model on this machine: llama.cpp's server as a child process, on a GGUF file."""
