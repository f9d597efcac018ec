// `setenv` replaces the list of variables and may free the old one, while `getenv` on another thread walks it: the
// process ends by SIGSEGV. GTK, Xlib and GLib read variables that are known only when the first window is made, and
// players, sound and apps have threads by then.
//
// So the variables are put into the list before `main`, while the process has one thread, under names that nobody asks
// for. Setting one later changes one byte, the first of its name; nothing moves and nothing is freed (putenv(3):
// "altering the string changes the environment").
#include "environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>

extern char **environ;

static struct {
    /// The first byte of the name; `text` has "_" until the variable is set.
    char first;
    char text[48];
} slots[zt_variable_count] = {
    [zt_variable_gsk_renderer] = {'G', "_SK_RENDERER=cairo"},
    [zt_variable_gdk_debug] = {'G', "_DK_DEBUG=gl-disable"},
    [zt_variable_gdk_disable] = {'G', "_DK_DISABLE=gl,vulkan"},
    [zt_variable_skip_argb_visuals] = {'X', "_LIB_SKIP_ARGB_VISUALS=1"},
    [zt_variable_gtk_a11y] = {'G', "_TK_A11Y=none"},
    [zt_variable_gsettings_backend] = {'G', "_SETTINGS_BACKEND=memory"},
    [zt_variable_session_bus] = {'D', "_BUS_SESSION_BUS_ADDRESS=disabled:"},
    [zt_variable_previews] = {'X', "_CODE_RUNNING_FOR_PREVIEWS=1"},
};

/// Of Swift's runtime (stdlib/public/stubs/CommandLine.cpp). Linked statically, it looks for the arguments after this
/// code has run, below `environ` on the stack, where `environ` is not any more.
extern void _swift_stdlib_overrideUnsafeArgvArgc(char **argv, int argc) __attribute__((weak));

__attribute__((constructor)) static void reserve(int argc, char **argv) {
    // A plug-in is loaded by a program that may have threads: then the environment stays as it is.
    if (!__libc_single_threaded || !environ) return;
    size_t count = 0;
    while (environ[count]) count++;
    char **list = malloc((count + zt_variable_count + 1) * sizeof *list);
    if (!list) return;
    memcpy(list, environ, count * sizeof *list);
    for (int i = 0; i < zt_variable_count; i++) {
        // A program that was started by one of ours has inherited the reserved names.
        size_t at = 0;
        while (at < count && strcmp(list[at], slots[i].text) != 0) at++;
        list[at == count ? count++ : at] = slots[i].text;
    }
    list[count] = NULL;
    // The list is never freed, because other threads may still read it.
    environ = list;
    if (_swift_stdlib_overrideUnsafeArgvArgc) _swift_stdlib_overrideUnsafeArgvArgc(argv, argc);
}

int zt_variable_set(zt_variable variable) {
    if ((unsigned)variable >= zt_variable_count) return 0;
    char *text = slots[variable].text;
    char name[sizeof slots[0].text];
    size_t length = strcspn(text, "=");
    memcpy(name, text, length);
    name[0] = slots[variable].first;
    name[length] = 0;
    if (!getenv(name)) __atomic_store_n(text, slots[variable].first, __ATOMIC_RELEASE);
    return getenv(name) != NULL;
}
