import Foundation

/// The stores to which `AppStorage` has written, and which are to be written to the disk: Foundation does so on Linux
/// only when it is asked to. Main actor.
@MainActor
package enum WrittenStores {
    private static var stores: [UserDefaults] = []
    /// Seconds.
    private static let delay = 0.5

    static func add(_ store: UserDefaults) {
        guard !stores.contains(where: { $0 === store }) else { return }
        stores.append(store)
        if stores.count == 1 { OnMain.later(delay) { write() } }
    }

    /// Writes them now.
    package static func write() {
        let all = stores
        stores = []
        for store in all { store.synchronize() }
    }
}
