import Foundation

/// The stores with changes by `AppStorage` that are not on the disk yet. Foundation on Linux writes them only on
/// request.
@MainActor
package enum WrittenStores {
    private static var stores: [UserDefaults] = []
    /// The time from the first change to the write, in seconds.
    private static let delay = 0.5

    static func add(_ store: UserDefaults) {
        guard !stores.contains(where: { $0 === store }) else { return }
        stores.append(store)
        if stores.count == 1 { OnMain.later(delay) { write() } }
    }

    /// Writes all changed stores to the disk now.
    package static func write() {
        let all = stores
        stores = []
        for store in all { store.synchronize() }
    }
}
