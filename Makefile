# Two commands matter: `make play` and `make test`. Each installs what is missing and can be run again.
.PHONY: help play test bench build docs bootstrap clean product install uninstall
PREFIX = /usr/local
DESTDIR =
PROGRAM = .build/product/zoetrope

help:
	@echo "make play   install what is missing, build, open the gallery: the sample loop plays in a window"
	@echo "make play EXAMPLE=Youtube   the same with an example app (another name lists them)"
	@echo "make test   install what is missing, build, run every test"
	@echo "make bench  measure against mpv, ffplay and GStreamer; writes Benchmarks/RESULTS.md"
	@echo "make build  build the release tool"
	@echo "make docs   build the documentation of all modules, for a browser, without a network"
	@echo "make product    build the tool as it is installed: Swift's runtime in it, small"
	@echo "make install [PREFIX=/usr/local] [DESTDIR=]   build it where that is needed, and install it with all that a desktop wants"
	@echo "make uninstall  take exactly that away again"
	@echo "make clean  remove everything that was built or made"

bootstrap:
	@scripts/bootstrap build

build: bootstrap
	swift build -c release --product zoetrope

play:
	@scripts/play --check "$(EXAMPLE)"
	@scripts/bootstrap play
	swift build -c release --product $(or $(EXAMPLE),Gallery)
	@scripts/play --example "$(EXAMPLE)"

test:
	@scripts/bootstrap test
	@scripts/test

bench:
	@scripts/bootstrap bench
	swift build -c release --product zoetrope
	swift build -c release --product Benches
	swift build -c release --product StreamServer
	swift build -c release --product DownloadProbe
	Benchmarks/run

docs:
	@scripts/bootstrap docs
	scripts/build
	@scripts/docs

product:
	@scripts/bootstrap install
	@scripts/product

# Another program than the product is taken as it is.
install:
ifeq ($(PROGRAM),.build/product/zoetrope)
	@scripts/bootstrap install
	@scripts/product --if-needed
endif
	@scripts/install --prefix "$(PREFIX)" --destdir "$(DESTDIR)" --program "$(PROGRAM)"

uninstall:
	@scripts/install --uninstall --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

clean:
	rm -rf .build .generated screenshot.png
