import CGTK
import MediaCore

/// The version of GTK at run time. Differences between header versions are in `Sources/CGTK/versions.h`.
package enum GTKVersion {
    /// Returns whether the version is 4.`minor` or later.
    package static func isAtLeast(minor: UInt32) -> Bool { gtk_get_minor_version() >= minor }

    /// The reason why the installed version cannot be used, or nil if it can.
    static var problem: AVError? { problem(minor: gtk_get_minor_version()) }

    static func problem(minor: UInt32) -> AVError? {
        guard minor < 8 else { return nil }
        return AVError(
            .operationNotSupported, at: "", reason: "GTK 4.\(minor) is installed, but windows require GTK 4.8 or later",
            suggestion: "Update the system, for example to Debian 12, Ubuntu 22.10, Fedora 37 or later")
    }
}
