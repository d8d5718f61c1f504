# For test frameworks that build with make, such as OpenBench: `make EXE=name` builds the workbench,
# which has `bench`, as ./name, and the engine as ./pbrain-name. Use cargo for everything else.

EXE ?= tengen
BUILT := $(or $(CARGO_TARGET_DIR),target)/release

.PHONY: all clean
all:
	cargo build --release --locked
	cp "$(BUILT)/tengen" $(EXE)
	cp "$(BUILT)/pbrain-tengen" $(dir $(EXE))pbrain-$(notdir $(EXE))

clean:
	cargo clean
