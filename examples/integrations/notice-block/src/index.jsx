import { createComponent, createIntegration } from '@gitbook/runtime';

const notice = createComponent({
    componentId: 'notice',
    initialState: (props) => ({ content: props.content ?? '' }),
    async render(element, { environment }) {
        const { title = 'Please note' } = environment.spaceInstallation?.configuration ?? {};
        const { editable } = element.context;
        return (
            <block>
                <card title={title}>
                    {editable ? (
                        <textinput state="content" multiline placeholder="Text of the notice" />
                    ) : (
                        <markdown content={element.props.content ?? ''} />
                    )}
                </card>
            </block>
        );
    },
});

export default createIntegration({ components: [notice] });
