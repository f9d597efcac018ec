// libcurl, loaded at the first request: with it come some 20 libraries that a player of local files never needs.
#ifndef ZOETROPE_CCURL_SHIM_H
#define ZOETROPE_CCURL_SHIM_H
#include <curl/curl.h>
#include <dlfcn.h>
#endif
