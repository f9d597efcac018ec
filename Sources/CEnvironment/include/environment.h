#ifndef ZOETROPE_ENVIRONMENT_H
#define ZOETROPE_ENVIRONMENT_H

/// The environment variables that this library sets for other libraries.
typedef enum {
    /// GSK_RENDERER=cairo
    zt_variable_gsk_renderer,
    /// GDK_DEBUG=gl-disable, which GTK reads before version 4.16.
    zt_variable_gdk_debug,
    /// GDK_DISABLE=gl,vulkan, which GTK reads from version 4.16 on.
    zt_variable_gdk_disable,
    /// XLIB_SKIP_ARGB_VISUALS=1
    zt_variable_skip_argb_visuals,
    /// GTK_A11Y=none
    zt_variable_gtk_a11y,
    /// GSETTINGS_BACKEND=memory
    zt_variable_gsettings_backend,
    /// DBUS_SESSION_BUS_ADDRESS=disabled:
    zt_variable_session_bus,
    /// XCODE_RUNNING_FOR_PREVIEWS=1
    zt_variable_previews,
    zt_variable_count
} zt_variable;

/// Sets a variable, unless the environment already has it. Any thread may call this function.
///
/// It never calls setenv, because other threads may read the environment at the same time. Returns 1 if the environment
/// has a variable with this name afterward. Returns 0 if the variable could not be set: the process had threads when
/// this code was loaded, or other code has cleared the environment.
int zt_variable_set(zt_variable variable);

#endif
