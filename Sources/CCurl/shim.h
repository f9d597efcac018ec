// libcurl, loaded at the first request, because it brings some 20 libraries that a player of local files never needs.
#ifndef ZOETROPE_CCURL_SHIM_H
#define ZOETROPE_CCURL_SHIM_H
// libcurl's type checks are macros around the variadic functions. They are disabled, because the functions below are
// typed.
#ifndef CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_TYPECHECK
#endif
#include <curl/curl.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>

typedef struct {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_version_info) *version_info;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
    __typeof__(curl_easy_pause) *easy_pause;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
    __typeof__(curl_multi_init) *multi_init;
    __typeof__(curl_multi_add_handle) *multi_add_handle;
    __typeof__(curl_multi_remove_handle) *multi_remove_handle;
    __typeof__(curl_multi_socket_action) *multi_socket_action;
    __typeof__(curl_multi_info_read) *multi_info_read;
    CURLMcode (*multi_setopt)(CURLM *multi, CURLMoption option, ...);
    __typeof__(curl_share_init) *share_init;
    CURLSHcode (*share_setopt)(CURLSH *share, CURLSHoption option, ...);
} zt_curl;

// Loads libcurl. Returns 0 if it is not installed or lacks a function.
static inline int zt_curl_load(zt_curl *c) {
    void *library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    // Some of libcurl's dependencies use OpenSSL, which would clean itself up in an exit handler, possibly during a
    // request. OPENSSL_INIT_NO_ATEXIT (1.1.1) prevents that handler. dlsym finds the function only if OpenSSL is
    // loaded.
    int (*openssl)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym(library, "OPENSSL_init_crypto");
    if (openssl) openssl(0x00080000ul, 0);
    return (c->global_init = dlsym(library, "curl_global_init"))
        && (c->version_info = dlsym(library, "curl_version_info"))
        && (c->easy_init = dlsym(library, "curl_easy_init"))
        && (c->easy_cleanup = dlsym(library, "curl_easy_cleanup"))
        && (c->easy_setopt = dlsym(library, "curl_easy_setopt"))
        && (c->easy_getinfo = dlsym(library, "curl_easy_getinfo"))
        && (c->easy_pause = dlsym(library, "curl_easy_pause"))
        && (c->easy_strerror = dlsym(library, "curl_easy_strerror"))
        && (c->slist_append = dlsym(library, "curl_slist_append"))
        && (c->slist_free_all = dlsym(library, "curl_slist_free_all"))
        && (c->multi_init = dlsym(library, "curl_multi_init"))
        && (c->multi_add_handle = dlsym(library, "curl_multi_add_handle"))
        && (c->multi_remove_handle = dlsym(library, "curl_multi_remove_handle"))
        && (c->multi_socket_action = dlsym(library, "curl_multi_socket_action"))
        && (c->multi_info_read = dlsym(library, "curl_multi_info_read"))
        && (c->multi_setopt = dlsym(library, "curl_multi_setopt"))
        && (c->share_init = dlsym(library, "curl_share_init"))
        && (c->share_setopt = dlsym(library, "curl_share_setopt"));
}

// Wrappers for each type of argument, because Swift cannot call variadic functions.
static inline CURLcode zt_curl_set_long(const zt_curl *c, CURL *h, CURLoption o, long value) { return c->easy_setopt(h, o, value); }
static inline CURLcode zt_curl_set_string(const zt_curl *c, CURL *h, CURLoption o, const char *value) { return c->easy_setopt(h, o, value); }
static inline CURLcode zt_curl_set_pointer(const zt_curl *c, CURL *h, CURLoption o, void *value) { return c->easy_setopt(h, o, value); }
static inline CURLcode zt_curl_set_list(const zt_curl *c, CURL *h, CURLoption o, struct curl_slist *value) { return c->easy_setopt(h, o, value); }
// Sets CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION.
static inline CURLcode zt_curl_set_sink(const zt_curl *c, CURL *h, CURLoption o, size_t (*value)(char *, size_t, size_t, void *)) { return c->easy_setopt(h, o, value); }
static inline CURLcode zt_curl_get_long(const zt_curl *c, CURL *h, CURLINFO i, long *value) { return c->easy_getinfo(h, i, value); }
static inline CURLcode zt_curl_get_offset(const zt_curl *c, CURL *h, CURLINFO i, curl_off_t *value) { return c->easy_getinfo(h, i, value); }
static inline CURLMcode zt_curl_multi_set_long(const zt_curl *c, CURLM *m, CURLMoption o, long value) { return c->multi_setopt(m, o, value); }
// Sets the callbacks for the sockets to watch and for the timer.
static inline void zt_curl_multi_watch(const zt_curl *c, CURLM *m, int (*sockets)(CURL *, curl_socket_t, int, void *, void *), int (*timer)(CURLM *, long, void *), void *user) {
    c->multi_setopt(m, CURLMOPT_SOCKETFUNCTION, sockets);
    c->multi_setopt(m, CURLMOPT_SOCKETDATA, user);
    c->multi_setopt(m, CURLMOPT_TIMERFUNCTION, timer);
    c->multi_setopt(m, CURLMOPT_TIMERDATA, user);
}
static inline CURLSHcode zt_curl_share(const zt_curl *c, CURLSH *s, curl_lock_data what) { return c->share_setopt(s, CURLSHOPT_SHARE, what); }
static inline CURLcode zt_curl_message_result(const CURLMsg *m) { return m->data.result; }

// Differences between versions of libcurl. The version at run time may be older than the headers; it refuses an option
// then.
static inline void zt_curl_set_protocols(const zt_curl *c, CURL *h) {
#if LIBCURL_VERSION_NUM >= 0x075500
    if (c->easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK
        && c->easy_setopt(h, CURLOPT_REDIR_PROTOCOLS_STR, "http,https") == CURLE_OK) return;
#endif
    c->easy_setopt(h, (CURLoption)181 /* CURLOPT_PROTOCOLS */, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    c->easy_setopt(h, (CURLoption)182 /* CURLOPT_REDIR_PROTOCOLS */, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}
// Keeps the loop from waiting for the resolver after a DNS lookup was canceled (7.87).
static inline void zt_curl_set_quick_exit(const zt_curl *c, CURL *h) {
#if LIBCURL_VERSION_NUM >= 0x075700
    c->easy_setopt(h, CURLOPT_QUICK_EXIT, 1L);
#endif
}
// Sets a callback that runs after the connection is established and before the request is sent (7.80).
static inline void zt_curl_set_before_request(const zt_curl *c, CURL *h, int (*callback)(void *, char *, char *, int, int), void *data) {
#if LIBCURL_VERSION_NUM >= 0x075000
    c->easy_setopt(h, CURLOPT_PREREQFUNCTION, callback);
    c->easy_setopt(h, CURLOPT_PREREQDATA, data);
#endif
}

// Creates a kernel counter that poll can wait for, by which other threads wake the loop. Returns -1 on failure.
static inline int zt_wake_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
// Blocks SIGPIPE on this thread: if a peer closes a connection during a write, only that connection fails.
static inline void zt_block_sigpipe(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, 0);
}
#endif
