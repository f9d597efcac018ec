// `setenv` replaces the list of variables and may free the old one while `getenv` on another thread reads it, which
// crashes the process. GTK, Xlib and GLib read variables whose values are known only when the first window is created.
// By then, players, the audio server and the app have threads.
//
// For this reason, the variables are added to the list before `main`, while the process has one thread, under names
// that no code uses. Setting a variable later changes only the first byte of its name; no memory is moved or freed
// (putenv(3): "altering the string changes the environment").
#include "environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>

extern char **environ;

static struct {
    /// The first byte of the name. `text` begins with "_" until the variable is set.
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

/// A function of Swift's runtime (stdlib/public/stubs/CommandLine.cpp). When linked statically, the runtime looks for
/// the program's arguments below `environ` on the stack. After this code has run, `environ` is no longer there.
extern void _swift_stdlib_overrideUnsafeArgvArgc(char **argv, int argc) __attribute__((weak));

__attribute__((constructor)) static void reserve(int argc, char **argv) {
    // If this library is loaded as a plug-in, the program may have threads. The environment then stays unchanged.
    if (!__libc_single_threaded || !environ) return;
    size_t count = 0;
    while (environ[count]) count++;
    char **list = malloc((count + zt_variable_count + 1) * sizeof *list);
    if (!list) return;
    memcpy(list, environ, count * sizeof *list);
    for (int i = 0; i < zt_variable_count; i++) {
        // A child process of a program with this library inherits the reserved names.
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
