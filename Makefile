# The two main commands are `make play` and `make test`. Each installs missing packages and can be run again at any time.
.PHONY: help play test bench build generate docs bootstrap clean product install uninstall
PREFIX = /usr/local
DESTDIR =
PROGRAM = .build/product/zoetrope

help:
	@echo "make play   install missing packages, build, and open the gallery, where the sample loop plays"
	@echo "make play EXAMPLE=Youtube   open an example app instead (an unknown name lists all)"
	@echo "make test   install missing packages, build, and run every test"
	@echo "make bench  compare with mpv, ffplay and GStreamer, and write Benchmarks/RESULTS.md"
	@echo "make build  build a release of the zoetrope command"
	@echo "make generate  write the typed names of the filters from their table"
	@echo "make docs   build the documentation site, which a browser shows without a network"
	@echo "make product    build zoetrope for installation, with the Swift runtime in it"
	@echo "make install [PREFIX=/usr/local] [DESTDIR=]   build and install zoetrope, with its desktop files"
	@echo "make uninstall  remove the installed files"
	@echo "make clean  remove all build results and generated files"

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

generate:
	@scripts/generate-filters

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
