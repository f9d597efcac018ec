import Zoetrope

struct PluginWidget: View {
    var body: some View {
        WithService(PluginService.self) { service in
            ZStack {
                if let plugin = service.plugin {
                    plugin.content()
                        .transition(plugin.transition)
                        .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: plugin.alignment)
                        .id(plugin.id)
                        .transition(plugin.transition)
                }
            }
            .frame(maxWidth: .infinity, maxHeight: .infinity)
        }
    }
}
