import Zoetrope

struct PluginWidget: View {
    var body: some View {
        WithService(PluginService.self) { service in
            ZStack(alignment: service.alignment) {
                // As large as the overlay: what goes stays where it is meanwhile.
                Color.clear.allowsHitTesting(false)
                if let plugin = service.plugin { plugin.content().transition(plugin.transition) }
            }
        }
    }
}
