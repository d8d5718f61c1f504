# For test frameworks that build with make, such as OpenBench: `make EXE=name` puts the workbench,
# which has `bench`, into ./name, and the brain, which plays, into ./pbrain-name. All else is
# cargo's.

EXE ?= tengen
BUILT := $(or $(CARGO_TARGET_DIR),target)/release

.PHONY: all clean
all:
	cargo build --release --locked
	cp "$(BUILT)/tengen" $(EXE)
	cp "$(BUILT)/pbrain-tengen" $(dir $(EXE))pbrain-$(notdir $(EXE))

clean:
	cargo clean
